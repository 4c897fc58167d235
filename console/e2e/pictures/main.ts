import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runDemo } from '../../../src/cli/demo/run-demo.ts'
import { firstApp } from '../../../src/simulate/simulated-apps.ts'
import { animatedPng } from './animated-png.ts'
import { firstEventFrames } from './first-event.ts'
import { openPage } from './page.ts'
import { drawStores } from './stores.ts'

/**
 * Draws the pictures of the console in the README and `docs/how-to`: `node console/e2e/pictures/main.ts FOLDER`, by default `docs/images`.
 */
const root = resolve(import.meta.dirname, '../../..')
const folder = process.argv[2] ?? join(root, 'docs/images')
execFileSync(process.execPath, ['scripts/build-console.ts', '--if-stale'], { cwd: root, stdio: 'inherit' })

/** The page of an app is shown down to its newest negative review. */
const SIZE = { width: 1280, height: 900 }

async function drawDemo(printed: string): Promise<void> {
  const link = /http:\S+demo\?key=\S+/.exec(printed)?.[0]
  if (link === undefined) throw new Error('the demo printed no link')
  await using opened = await openPage(new URL(link).origin, SIZE)
  const { page } = opened
  const draw = async (path: string, name: string) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    await page.waitForFunction(() => [...document.images].every((image) => image.complete))
    await page.screenshot({ path: join(folder, name) })
  }
  await page.goto(link)
  // Themes and requests need reviews that the engine has read.
  await page.goto('/reviews')
  await page.getByRole('article').nth(5).waitFor()
  await draw(`/apps/apple/${firstApp().appIds.apple}`, 'app.png')
  await draw('/reviews', 'reviews.png')
}

/** The broken release and its reviews come after twenty seconds. */
const DEMO_S = 75
let printed = ''
await runDemo({
  port: 0,
  print: (text) => {
    printed += text
  },
  stop: async () => {
    await new Promise((done) => setTimeout(done, DEMO_S * 1_000))
    await drawDemo(printed)
  },
})
const frames = await firstEventFrames()
writeFileSync(join(folder, 'first-event.png'), animatedPng(frames))
await drawStores(folder)
