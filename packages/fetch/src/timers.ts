// A timer of any platform → the same, without keeping a Node process alive; other platforms have nothing to turn off.

/** Takes what `setTimeout` or `setInterval` gave. */
export function backgroundTimerOf<Timer extends object | number>(timer: Timer): Timer {
  if (typeof timer === "object" && "unref" in timer && typeof timer.unref === "function") timer.unref();
  return timer;
}
