// Orders the test files: files with a process of their own run first. The longest of them would otherwise outlast all other tests.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The default order, but projects with a process per file come first. */
export class IsolatedFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isolated = (file: TestSpecification): number => (file.project.config.isolate ? 0 : 1);
    return sorted.toSorted((one, other) => isolated(one) - isolated(other));
  }
}
