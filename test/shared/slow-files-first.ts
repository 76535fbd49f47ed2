/**
 * Starts the slowest test files first, so that none of them runs alone at the end. The summary of a run lists
 * the slowest files.
 */

import { BaseSequencer, type TestSpecification } from "vitest/node";

const slowFiles =
  /(?:dashboard-accessibility|readme|hostile-text|host\/pages|sweep-deployments|static-export|deployments|offline|hostile-site|corpus|sent-requests|kills|real-sites|image)\.(?:process|browser|long)\.test\.ts$/;

export default class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => slowFiles.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
