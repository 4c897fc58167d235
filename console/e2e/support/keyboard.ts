import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../../../test/support/until.ts'

/** Presses Tab until the element with this name has the focus, if it has not yet. Fails after 80 presses. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses <= 80; presses += 1) {
    const focused = await focusedName(page)
    if (focused === name) return
    passed.push(focused)
    await page.keyboard.press('Tab')
  }
  assert.fail(`${name} never got the focus, but these did: ${passed.join(', ')}`)
}

/** The name of the element with the focus, without the mark of required fields. */
function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
    const name = element?.getAttribute('aria-label') ?? labels[0]?.textContent ?? element?.textContent ?? ''
    return name.replace(/\*$/, '').trim()
  })
}

/** Moves the focus to the element with this name and activates it, as Enter does for links and buttons. */
export async function enter(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/** Waits until a screen reader finds these lines, in this order, in the accessibility tree of the page. */
export async function assertTree(page: Page, lines: readonly string[]): Promise<void> {
  let tree = ''
  const isMissing = (line: string, from: { at: number }) => {
    const at = tree.indexOf(line, from.at)
    from.at = at + line.length
    return at < 0
  }
  const missing = async () => {
    tree = await page.locator('body').ariaSnapshot()
    const from = { at: 0 }
    return lines.find((line) => isMissing(line, from))
  }
  await until('the tree has the lines', async () => (await missing()) === undefined).catch(async () =>
    assert.fail(`${await missing()} is missing, or before the line that precedes it, in\n${tree}`),
  )
}
