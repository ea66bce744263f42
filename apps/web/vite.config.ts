import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { withoutChecksOfStudies } from './without-checks.ts'

const logo = fileURLToPath(import.meta.resolve('@atrium/design/logo.svg'))
const backend = process.env.VITE_BACKEND_URL ?? ''

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

/** jsPsych’s style sheet holds half a megabyte of a typeface that its frame does not use. */
const withoutTypefaces: Plugin = {
  name: 'without-typefaces',
  enforce: 'pre',
  transform: {
    filter: { id: /[\\/]jspsych[\\/]css[\\/]jspsych\.css$/ },
    handler: (code) => code.replaceAll(/@font-face\s*\{[^}]*\}/g, ''),
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

/** Whoever starts the platform cannot do anything about how long plugins take. */
const quiet = { bundlerTimings: false }

/** The entry itself has to stay apart: the page names it. */
const isNotEntry = (id: string): boolean => !/index\.html|participant[\\/]main\.tsx/.test(id)

/** What nothing uses is left out, also of packages that do nothing while they load but do not say so. */
const treeshake = {
  propertyReadSideEffects: false as const,
  moduleSideEffects: [
    { test: /[\\/]node_modules[\\/](typebox|marked|engine\.io-client)[\\/]/, sideEffects: false },
  ],
}

/** Apart, although one file with the room would be smaller: much of it would then become part of the first page. */
const isCatalogue = (id: string): boolean =>
  /[\\/]contract[\\/]src[\\/]components[\\/]|[\\/]typebox[\\/]/.test(id)

/** What every room needs, also where views of rarer types need it too. */
const isForEveryRoom = (id: string): boolean =>
  /[\\/](?:@socket\.io|(?:socket|engine)\.io-\w+)[\\/]|[\\/]client[\\/]src[\\/](?:room|socket|waiting)[\\/]/.test(
    id,
  ) ||
  /[\\/]participant[\\/](?:room(?![\\/](?:conditions|shown-part))|pages(?![\\/]studies)|frame|views[\\/](?:display|gates|settings))[\\/]/.test(
    id,
  ) ||
  /[\\/]views[\\/](?:media[\\/](?:media-)?stage|questions[\\/](?!date|dropdown|matrix|ranking|use-drag))/.test(
    id,
  )

/**
 * A build uses relative addresses only; for `vite dev`, VITE_BACKEND_URL is where the platform runs. The pages of
 * participants and, with `--mode researchers`, the console and the frame of jsPsych are built apart: participants load
 * nothing for the sake of those.
 */
export default defineConfig(({ command, mode }) => {
  const isForResearchers = mode === 'researchers'
  if (command === 'build' && backend !== '')
    throw new Error('VITE_BACKEND_URL must be empty when the web app is built: it uses relative addresses.')
  return {
    root: import.meta.dirname,
    plugins: [
      react(),
      withoutTypefaces,
      icon,
      addresses,
      ...(isForResearchers ? [] : [withoutChecksOfStudies]),
    ],
    build: {
      outDir: 'dist',
      // Both builds write into one folder, at the same time; build-pages.ts empties it.
      emptyOutDir: false,
      copyPublicDir: !isForResearchers,
      // Tells tests what the pages load.
      manifest: isForResearchers ? '.vite/researchers.json' : true,
      // Some chunks are large, but loaded only by the pages that need them.
      chunkSizeWarningLimit: 700,
      rolldownOptions: isForResearchers
        ? {
            input: ['console.html', 'signed-in.html', 'jspsych.html', 'preview.html'],
            checks: quiet,
            treeshake,
          }
        : {
            input: ['index.html'],
            checks: quiet,
            treeshake,
            // One file is smaller than ten when compressed, and style sheets stay in the order of their imports.
            output: {
              codeSplitting: {
                groups: [
                  // Both need them; the catalogue, which takes what it needs, would otherwise take them from the first page.
                  { name: 'limits', test: /[\\/]contract[\\/]src[\\/](limits|random)\.ts$/, priority: 4 },
                  { name: 'catalogue', test: isCatalogue, priority: 3 },
                  { name: 'first', tags: ['$initial'], test: isNotEntry, priority: 2 },
                  { name: 'room', test: isForEveryRoom, priority: 1 },
                ],
              },
            },
          },
    },
    server: {
      proxy: Object.fromEntries(
        ['/api', '/dev', '/media', '/objects', '/health', '/socket.io'].map((path) => [
          path,
          { target: backend || 'http://127.0.0.1:3000', ws: true },
        ]),
      ),
    },
  }
})
