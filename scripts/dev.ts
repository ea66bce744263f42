// `npm run dev`: the platform for whoever changes it, at one address. Vite serves the pages, replaces what changes in them,
// and passes everything else on to a server that starts again whenever its sources change.
import { once } from 'node:events'
import { type AddressInfo, createServer as createListener } from 'node:net'
import { join } from 'node:path'
import { keepRestarting } from './packages/restarting-program.ts'
import { installedAsWanted, root } from './setup.mjs'

const host = '127.0.0.1'
const port = Number(process.env.PORT ?? 3000)

if (!installedAsWanted()) {
  // Not done here: whoever develops may have linked packages, which `npm ci` would remove.
  console.error('atrium: node_modules does not match package-lock.json. Run `npm ci` first.')
  process.exit(1)
}

const behind = await freePort()
// The configuration of Vite reads it.
process.env.VITE_BACKEND_URL = `http://${host}:${behind}`
const { createServer } = await import('vite')
const pages = await createServer({
  configFile: join(root, 'apps', 'web', 'vite.config.ts'),
  clearScreen: false,
  server: { host, port, strictPort: true },
})
await Promise.all([
  pages.listen(),
  keepRestarting({
    args: [join(root, 'apps', 'server', 'src', 'entry', 'serve.ts')],
    env: {
      // Apart from those of `npm start`, which may be older.
      DATA_DIR: join(root, 'data', 'dev'),
      LOG_LEVEL: 'warn',
      ...process.env,
      HOST: host,
      PORT: String(behind),
      METRICS_PORT: '0',
    },
    sources: ['apps/server/src', 'packages', 'examples'].map((folder) => join(root, folder)),
    announce: (sentence) => console.log(`atrium: ${sentence}`),
  }),
])
process.once('SIGINT', () => process.exit(130))
console.log(`
  Atrium is running for development.

    For participants   http://${host}:${port}
    For researchers    http://${host}:${port}/console

  Changes of pages show at once; after other changes, the server starts again. Stop with Ctrl-C.
`)

async function freePort(): Promise<number> {
  const listener = createListener().listen(0, host)
  await once(listener, 'listening')
  const { port: free } = listener.address() as AddressInfo
  listener.close()
  await once(listener, 'close')
  return free
}
