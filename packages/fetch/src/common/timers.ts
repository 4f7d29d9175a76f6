// Lets a process end while a timer is pending. On platforms other than Node, a timer does not keep the process alive anyway.

/** Takes the result of `setTimeout` or `setInterval`, and returns it. */
export function backgroundTimerOf<Timer extends object | number>(timer: Timer): Timer {
  if (typeof timer === "object" && "unref" in timer && typeof timer.unref === "function") timer.unref();
  return timer;
}
