import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `npm run dev` serves the console here and proxies the service. */
const SERVICE_URL = 'http://127.0.0.1:8080'
/** The service accepts changes only from its own origin; these pages have another one. */
const PASSED_ON = { target: SERVICE_URL, headers: { origin: SERVICE_URL } }

/** Packages that the first page does not need: those of fields, tables and dates. */
const LATER =
  /node_modules\/(dayjs|react-number-format|@mantine\/(dates|form|spotlight)|@mantine\/core\/esm\/components\/(Accordion|Autocomplete|Checkbox|Combobox|Drawer|Input|InputBase|MultiSelect|NumberInput|PasswordInput|Pill|PillsInput|RangeSlider|ScrollArea|Select|Slider|Switch|Table|Tabs|Textarea|TextInput))\//
/** Our own modules that the first page shares with others. */
const FIRST =
  /\/src\/(contract|model)\/|\/console\/(util|data)\/|\/console\/ui\/(Facts|Instant|PageHeader|Section|States|WithInstants|confirm|links|theme|use-now)|\/console\/components\/(HealthBadge|Notices|RatingDrops|StatusBadge|charts\/(BarChart|Plot|common|scale)|destination\/DestinationState)/
const isShared = (id: string) => (id.includes('node_modules') ? !LATER.test(id) : FIRST.test(id))

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The service sends its own strict policy: nothing may be inlined as data or script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Few files: what several pages share is one file, apart from what the first page does not need.
        codeSplitting: {
          groups: [{ name: 'shared', test: isShared, minShareCount: 2 }],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: Object.fromEntries(['/api', '/docs', '/openapi.json'].map((path) => [path, PASSED_ON])),
  },
})
