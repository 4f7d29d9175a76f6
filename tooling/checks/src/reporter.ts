// Prints the counts of a finished vitest run as the last line on stdout: "N passed, N failed, N skipped".
import type { Reporter, TestModule } from "vitest/node";

/** Prints the test counts as the last line. A file that could not be collected counts as one failure. */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      let failedTests = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") counts.passed += 1;
        else if (state === "skipped") counts.skipped += 1;
        else failedTests += 1;
      }
      // A module that fails outside its tests (an import or a hook that throws) must not look like a clean run.
      if (failedTests === 0 && module.state() === "failed") failedTests = 1;
      counts.failed += failedTests;
    }
    // Print at exit, because the default reporter writes its own summary in this same event.
    process.once("exit", () => {
      process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
    });
  }
}
