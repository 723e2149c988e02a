// Functions of Core Foundation, which Foundation contains on Linux and does not declare for others.

// The run loop of the calling thread.
void *_Nonnull CFRunLoopGetCurrent(void);

// Wakes a run loop that sleeps; any thread may call it.
void CFRunLoopWakeUp(void *_Nonnull loop);
