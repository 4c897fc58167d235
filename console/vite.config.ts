import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `npm run dev` serves the console and proxies requests to the service at this URL. */
const SERVICE_URL = 'http://127.0.0.1:8080'
/** The service accepts changes only from its own origin, so the proxy sets it. */
const PROXY = { target: SERVICE_URL, headers: { origin: SERVICE_URL } }

/** Packages that the first page does not need: fields, tables, dates and QR codes. */
const DEFERRED_PACKAGES =
  /node_modules\/(dayjs|qr|react-number-format|@mantine\/(dates|form|spotlight)|@tanstack\/(react-table|table-core|react-virtual|virtual-core|react-store|store)|@mantine\/core\/esm\/components\/(Accordion|Autocomplete|Checkbox|Combobox|Drawer|Input|InputBase|MultiSelect|NumberInput|PasswordInput|Pill|PillsInput|Radio|RangeSlider|ScrollArea|Select|Slider|Switch|Table|Tabs|TagsInput|Textarea|TextInput))\//
/** Our modules that the first page shares with others; not those of its folders that it does not need. */
const FIRST_PAGE_MODULES =
  /\/src\/(contract|model)\/|\/console\/(util|data)\/(?!bulk-summary|passkeys|second-factor|subscriptions|audit|inbox|alerts|views|review-list)|\/console\/messages\/(common|overview|shell)|\/console\/ui\/(Facts|Instant|PageHeader|Section|States|WithInstants|confirm|links|theme|use-now)|\/console\/components\/(HealthBadge|Notices|RatingDrops|StatusBadge|charts\/(BarChart|Plot|common|scale)|destination\/DestinationState)/
const isShared = (id: string) =>
  id.includes('node_modules') ? !DEFERRED_PACKAGES.test(id) : FIRST_PAGE_MODULES.test(id)

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
          groups: [{ name: 'shared', test: isShared, minShareCount: 2 }],
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
