/// The page: it applies deletions, from the last to the first, then insertions, then modifications.
let page = """
  <!doctype html>
  <title>Votes</title>
  <style>
    body { font: 1.1em sans-serif; max-width: 30em; margin: 2em auto }
    ol { padding: 0 } li { list-style: none; padding: .4em; border-bottom: 1px solid #ddd; cursor: pointer }
    li.inserted { animation: slide .3s } @keyframes slide { from { opacity: 0; transform: translateX(2em) } }
    li.modified { animation: flash .6s } @keyframes flash { from { background: #fd6 } }
  </style>
  <form><input name="text" placeholder="Propose something" autocomplete="off"></form>
  <ol></ol>
  <script>
    const list = document.querySelector("ol"), form = document.querySelector("form")
    function fill(item, row) {
      item.textContent = `${row.proposal.votes}  ${row.proposal.text}`
      item.onclick = () => fetch(`/votes/${row.proposal.id}`, { method: "POST" })
    }
    function show(item, kind) { item.className = ""; void item.offsetWidth; item.className = kind }
    function apply(change) {
      for (const index of change.deletions.reverse()) list.children[index].remove()
      for (const row of change.insertions) {
        const item = document.createElement("li")
        fill(item, row)
        list.insertBefore(item, list.children[row.index] ?? null)
        show(item, "inserted")
      }
      for (const row of change.modifications) {
        fill(list.children[row.index], row)
        show(list.children[row.index], "modified")
      }
    }
    const changes = new EventSource("/changes")
    changes.addEventListener("initial", event => { list.replaceChildren(); apply(JSON.parse(event.data)) })
    changes.addEventListener("update", event => apply(JSON.parse(event.data)))
    form.onsubmit = event => {
      event.preventDefault()
      fetch("/proposals", { method: "POST", body: form.text.value })
      form.text.value = ""
    }
  </script>
  """
