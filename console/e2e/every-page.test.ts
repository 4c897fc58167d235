import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findings, type Look } from './support/browser.ts'
import { startLively } from './support/lively.ts'
import { openAs } from './support/seeded-console.ts'

const WIDE = { width: 1280, height: 860 }
const NARROW = { width: 360, height: 740 }
const LOOKS: readonly (readonly [name: string, look: Look])[] = [
  ['in light colours', { colorScheme: 'light', ...WIDE }],
  ['in dark colours', { colorScheme: 'dark', ...WIDE }],
  ['on a narrow screen', { colorScheme: 'dark', ...NARROW }],
]

for (const [name, look] of LOOKS) {
  test(`every page ${name} fits, has no accessibility finding and no script error`, async () => {
    await using lively = await startLively()
    await using visitor = await openAs(lively.running, lively.ann, look)
    const { page } = visitor
    const found: string[] = []
    for (const path of lively.paths) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      found.push(...(await findings(page)).map((finding) => `${path}: ${finding}`))
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      if (width > (look.width ?? 0)) found.push(`${path}: is ${width} pixels wide`)
    }
    assert.deepEqual(found, [])
    assert.deepEqual(visitor.complaints, [])
  })
}
