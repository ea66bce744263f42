import { fileURLToPath } from 'node:url'
import { createServer, loadConfigFromFile } from 'vite'
import { afterEach, expect, test, vi } from 'vitest'

const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url))
afterEach(() => vi.unstubAllEnvs())

test('VITE_BACKEND_URL must be empty for a build, and names the platform in development', async () => {
  vi.stubEnv('VITE_BACKEND_URL', 'http://127.0.0.1:4000')
  const load = (command: 'build' | 'serve') =>
    loadConfigFromFile({ command, mode: 'production' }, configFile, undefined, 'silent')
  await expect(load('build')).rejects.toThrow('VITE_BACKEND_URL must be empty')
  expect((await load('serve'))?.config.server?.proxy).toMatchObject({
    '/api': { target: 'http://127.0.0.1:4000' },
  })
  vi.stubEnv('VITE_BACKEND_URL', '')
  expect(await load('build')).not.toBeNull()
})

test('in development, an address leads to the page that the server would send', async () => {
  const vite = await createServer({ configFile, logLevel: 'silent', server: { port: 0, host: '127.0.0.1' } })
  await vite.listen()
  const [address = ''] = vite.resolvedUrls?.local ?? []
  const titleAt = async (path: string) =>
    /<title>(.*)<\/title>/.exec(
      await (await fetch(new URL(path, address), { headers: { accept: 'text/html' } })).text(),
    )?.[1]
  expect(await titleAt('/join/exp_1')).toBe('Atrium')
  expect(await titleAt('/console/experiments/exp_1')).toBe('Atrium console')
  expect(await titleAt('/signed-in?code=1')).toBe('Signed in')
  await vite.close()
})
