import type { Page } from 'playwright-core'

/** Adds a filter from the menu of the review feed. */
export async function chooseFilter(page: Page, filter: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: filter, exact: true }).click()
  await page.getByRole('option', { name: value, exact: true }).click()
}
