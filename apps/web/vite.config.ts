import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const backend = process.env.VITE_BACKEND_URL ?? ''

/** Beside each file its compressed forms, so that no server compresses while people wait. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  generateBundle(_options, bundle) {
    for (const [fileName, file] of Object.entries(bundle)) {
      const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
      if (source.length < 1_400) continue // Fits into one packet as it is.
      this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(source) })
      this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(source) })
    }
  },
}

/** Built, the pages use relative addresses only; for `vite dev`, VITE_BACKEND_URL is where the platform runs. */
export default defineConfig(({ command }) => {
  if (command === 'build' && backend !== '')
    throw new Error('VITE_BACKEND_URL must be empty when the web app is built: it uses relative addresses.')
  return {
    root: import.meta.dirname,
    plugins: [react(), compressed],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: ['index.html', 'console.html', 'signed-in.html'] },
    },
    server: {
      proxy: Object.fromEntries(
        ['/api', '/dev', '/media', '/health', '/socket.io'].map((path) => [
          path,
          { target: backend || 'http://127.0.0.1:3000', ws: true },
        ]),
      ),
    },
  }
})
