import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `npm run dev` serves the console here and proxies the service. */
const SERVICE_URL = 'http://127.0.0.1:8080'
/** The service accepts changes only from its own origin; these pages have another one. */
const PASSED_ON = { target: SERVICE_URL, headers: { origin: SERVICE_URL } }

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The service sends its own strict policy: nothing may be inlined as data or script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: Object.fromEntries(['/api', '/docs', '/openapi.json'].map((path) => [path, PASSED_ON])),
  },
})
