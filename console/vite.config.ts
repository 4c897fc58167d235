import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `npm run dev` serves the console and proxies requests to the service at this URL. */
const SERVICE_URL = 'http://127.0.0.1:8080'
/** The service accepts changes only from its own origin, so the proxy sets it. */
const PROXY = { target: SERVICE_URL, headers: { origin: SERVICE_URL } }

/** Parts of packages that the first page imports as a whole, and does not use: fields, tables and dates. */
const DEFERRED_PARTS =
  /node_modules\/(dayjs|qr|react-number-format|@mantine\/(dates|form|spotlight)|@tanstack\/(react-table|table-core|react-virtual|virtual-core|react-store|store)|@mantine\/core\/esm\/components\/(Accordion|Autocomplete|Checkbox|Combobox|Drawer|Input|InputBase|MultiSelect|NumberInput|PasswordInput|Pill|PillsInput|Radio|RangeSlider|ScrollArea|Select|Slider|Switch|Table|Tabs|TagsInput|Textarea|TextInput))\//
const MAIN = join(import.meta.dirname, 'main.tsx')

type Graph = { getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null }

/** The modules that the first page loads: those that the program imports, without what it imports only when it is needed. */
function firstPage(graph: Graph): ReadonlySet<string> {
  const found = new Set([MAIN])
  // A set also visits what is added to it meanwhile.
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

let modules: ReadonlySet<string> | null = null
function sharedName(id: string, graph: Graph): string | null {
  modules ??= firstPage(graph)
  return modules.has(id) && !DEFERRED_PARTS.test(id) ? 'shared' : null
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
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Few files: one for the code that the first page shares with other pages.
        codeSplitting: {
          groups: [{ name: sharedName, debugName: 'shared', minShareCount: 2 }],
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
