import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `npm run dev` serves the console here and passes what the service answers on to it. */
const SERVICE_URL = 'http://127.0.0.1:8080'

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
  server: { port: 5173, proxy: { '/api': SERVICE_URL, '/docs': SERVICE_URL, '/openapi.json': SERVICE_URL } },
})
