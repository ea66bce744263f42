import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { noCodeFromText } from '../../scripts/packages/no-code-from-text.ts'

const logo = fileURLToPath(import.meta.resolve('@atrium/face/logo.svg'))
const backend = process.env.VITE_BACKEND_URL ?? ''

/** Fits into one packet without compression. */
const smallBytes = 1_400

/**
 * Writes compressed forms beside each file, so that no server compresses while people wait. Reads what was written,
 * because other plugins may change files until then.
 */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const fileName of Object.keys(bundle)) {
      const path = join(dir, fileName)
      const content = readFileSync(path)
      // A font is compressed already.
      if (content.length < smallBytes || fileName.endsWith('.woff2')) continue
      writeFileSync(`${path}.br`, brotliCompressSync(content))
      writeFileSync(`${path}.gz`, gzipSync(content))
    }
  },
}

/** The logo is the icon of every page, under an address that does not change. */
const icon: Plugin = {
  name: 'icon',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'icon.svg', source: readFileSync(logo) })
  },
  configureServer({ middlewares }) {
    middlewares.use('/icon.svg', (_request, response) => {
      response.setHeader('content-type', 'image/svg+xml')
      response.end(readFileSync(logo))
    })
  },
}

/** In development, addresses lead to the same pages as on the server. */
const addresses: Plugin = {
  name: 'addresses',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      const [, page] = /^\/(console|signed-in|preview)(?:[/?]|$)/.exec(request.url ?? '') ?? []
      if (page) request.url = `/${page}.html`
      next()
    })
  },
}

/** A build uses relative addresses only; for `vite dev`, VITE_BACKEND_URL is where the platform runs. */
export default defineConfig(({ command }) => {
  if (command === 'build' && backend !== '')
    throw new Error('VITE_BACKEND_URL must be empty when the web app is built: it uses relative addresses.')
  return {
    root: import.meta.dirname,
    plugins: [react(), { ...noCodeFromText(), apply: 'build' }, icon, compressed, addresses],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      // Tells tests what the pages load.
      manifest: true,
      // Some chunks are large, but loaded only by the pages that need them.
      chunkSizeWarningLimit: 700,
      rolldownOptions: { input: ['index.html', 'console.html', 'signed-in.html', 'preview.html'] },
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
