import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `npm run dev` serves the console and proxies requests to the service at this URL. */
const SERVICE_URL = 'http://127.0.0.1:8080'
/** The service accepts changes only from its own origin, so the proxy sets it. */
const PROXY = { target: SERVICE_URL, headers: { origin: SERVICE_URL } }

/** Parts of packages that the first page imports as a whole, and does not use: fields, tables and dates. */
const DEFERRED_PARTS =
  /node_modules\/(dayjs|qr|react-number-format|@mantine\/(dates|form|spotlight)|@tanstack\/(react-table|table-core|react-virtual|virtual-core)|@mantine\/core\/esm\/components\/(Accordion|Autocomplete|Checkbox|Combobox|Drawer|Input|InputBase|MultiSelect|NumberInput|PasswordInput|Pill|PillsInput|Radio|RangeSlider|Select|Slider|Switch|Table|Tabs|TagsInput|Textarea|TextInput))\//
const MAIN = join(import.meta.dirname, 'main.tsx')
/** The page that people open most after the first: what it needs besides comes in one file. */
const FEED = join(import.meta.dirname, 'pages/Reviews.tsx')
/** Of packages, the parts that it uses: their index imports all. */
const FEED_PARTS = /node_modules\/@tanstack\/(react-virtual|virtual-core)\/|\/console\//

type Graph = { getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null }

/** The modules that a module imports, directly or through others, without what these import only when it is needed. */
function importsOf(module: string, graph: Graph): ReadonlySet<string> {
  const found = new Set([module])
  // A set also visits what is added to it meanwhile.
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

let firstPage: ReadonlySet<string> | null = null
function isOfFirstPage(id: string, graph: Graph): boolean {
  firstPage ??= importsOf(MAIN, graph)
  return firstPage.has(id) && !DEFERRED_PARTS.test(id)
}

function sharedName(id: string, graph: Graph): string | null {
  return isOfFirstPage(id, graph) ? 'shared' : null
}

let feed: ReadonlySet<string> | null = null
function feedName(id: string, graph: Graph): string | null {
  feed ??= importsOf(FEED, graph)
  return id !== FEED && feed.has(id) && FEED_PARTS.test(id) && !isOfFirstPage(id, graph) ? 'feed' : null
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // Scripts and styles find each other wherever they are; the service moves those of the document below its base path.
  experimental: { renderBuiltUrl: (_file, { hostType }) => ({ relative: hostType !== 'html' }) },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The service's content security policy forbids inline data and scripts.
    assetsInlineLimit: 0,
    // A browser test limits what the first page loads (console/e2e/first-load.test.ts).
    chunkSizeWarningLimit: 800,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Few files: one for the code that the first page shares with other pages.
        codeSplitting: {
          groups: [
            { name: sharedName, debugName: 'shared' },
            { name: feedName, debugName: 'feed', minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: Object.fromEntries(['/api', '/docs', '/openapi.json'].map((path) => [path, PROXY])),
  },
})
