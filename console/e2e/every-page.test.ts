import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DisplayOptions, findings } from './support/browser.ts'
import { startPopulatedConsole } from './support/populated-console.ts'
import { openAs } from './support/seeded-console.ts'

const WIDE = { width: 1280, height: 860 }
const NARROW = { width: 360, height: 740 }
const DISPLAYS: readonly (readonly [name: string, display: DisplayOptions])[] = [
  ['in light colours', { colorScheme: 'light', ...WIDE }],
  ['in dark colours', { colorScheme: 'dark', ...WIDE }],
  ['on a narrow screen', { colorScheme: 'dark', ...NARROW }],
]

for (const [name, display] of DISPLAYS) {
  test(`every page ${name} fits and has no accessibility violations or script errors`, async () => {
    await using populated = await startPopulatedConsole()
    await using visitor = await openAs(populated.running, populated.ann, display)
    const { page } = visitor
    const found: string[] = []
    for (const path of populated.paths) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      found.push(...(await findings(page)).map((finding) => `${path}: ${finding}`))
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      if (width > (display.width ?? 0)) found.push(`${path}: is ${width} pixels wide`)
    }
    assert.deepEqual(found, [])
    assert.deepEqual(visitor.errors, [])
  })
}
