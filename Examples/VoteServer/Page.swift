/// The page: it applies deletions, from the last to the first, then insertions, then modifications.
let page = """
  <!doctype html>
  <title>Votes</title>
  <style>li { padding: .4em; cursor: pointer; transition: .6s }</style>
  <style>@starting-style { .inserted { translate: -2em } .modified { background: #fd6 } }</style>
  <form><input name="text" placeholder="Propose something" autocomplete="off"></form><ol></ol>
  <script>
    const list = document.querySelector("ol"), form = document.querySelector("form")
    const item = (className, { id, text, votes }) => Object.assign(document.createElement("li"), {
      className, textContent: `${votes}  ${text}`, onclick: () => fetch(`/votes/${id}`, { method: "POST" })
    })
    const changes = new EventSource("/changes")
    changes.onopen = () => list.replaceChildren()
    changes.onmessage = event => {
      const [[deletions, insertions, modifications], rows] = JSON.parse(event.data)
      for (const index of deletions.reverse()) list.children[index].remove()
      for (const index of insertions) list.insertBefore(item("inserted", rows.shift()), list.children[index])
      for (const index of modifications) list.children[index].replaceWith(item("modified", rows.shift()))
    }
    form.onsubmit = () => {
      fetch("/proposals", { method: "POST", body: form.text.value }).then(() => form.reset())
      return false
    }
  </script>
  """
