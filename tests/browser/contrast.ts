import type { Page } from "playwright-core";
import { measureContrast } from "./measure_contrast.js";

/** Something whose contrast is too low, as a line for a person. */
export type TooFaint = string;

/**
 * Measures the contrast of everything visible: text against what is behind it (WCAG 1.4.3: 4.5, or 3 for
 * large text), and the borders of inputs and the marks on the lanes (1.4.11: 3).
 */
export async function tooFaint(page: Page): Promise<TooFaint[]> {
  return await page.evaluate(measureContrast);
}
