// The files of deploy/single-server with the programs they are for: nginx and systemd's own checker.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import {
  createTemporaryFolder,
  findProgram,
  onFreePort,
  selfSigned,
  startProgram,
  startServer,
  waitUntil,
} from '@atrium/testkit'
import { afterAll, expect, test } from 'vitest'
import { claimedAddress } from '../../packages/contract/src/index.ts'
import { folder, installedIn, readFile, root } from './single-server.ts'

const temporary = createTemporaryFolder('single-server')
const server = await startServer({ env: { TRUST_PROXY: 'loopback' } })
const proxy = await startProxy(new URL(server.http).host)
afterAll(async () => {
  await proxy.program.end('SIGTERM')
  await server.stop()
  temporary.remove()
})

/** nginx.conf as it is, but for ports, certificate and the address of the server. */
async function startProxy(backend: string) {
  for (const [name, pem] of Object.entries(selfSigned)) writeFileSync(join(temporary.path, name), pem)
  return await onFreePort(async (port) => {
    const site = readFile('nginx.conf')
      .replace(/^ *listen (\[::\]:80|80|\[::\]:443.*);$/gm, '')
      .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`)
      .replace(/server \{\s+server_name[^}]+return 308[^}]+\}/, '')
      .replace(/ssl_certificate .*;/, `ssl_certificate ${temporary.path}/cert;`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${temporary.path}/key;`)
      .replaceAll('study.example.org', 'localhost')
      .replace('127.0.0.1:3000', backend)
    const file = join(temporary.path, 'nginx.conf')
    writeFileSync(
      file,
      `daemon off; pid nginx.pid; error_log stderr; events {} http { access_log off; ${site} }`,
    )
    const program = startProgram(findProgram('nginx'), {
      args: ['-p', temporary.path, '-c', file, '-e', 'stderr'],
      cwd: temporary.path,
      env: {},
    })
    await waitUntil(async () => (await ask(port, '/health/live')).status === 200 || program.stderr())
    return { port, program }
  })
}

async function ask(port: number, path: string, options: RequestOptions = {}, body?: Buffer) {
  const asked = request({ host: 'localhost', port, path, ca: selfSigned.cert, agent: false, ...options })
  asked.on('error', () => undefined) // A server that refuses a body need not read it to its end.
  asked.end(body)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: await text(response) }
}

test('the server sees the address that nginx saw, not the one that a client claims, and https', async () => {
  const headers = { 'x-forwarded-for': claimedAddress }
  const from = { localAddress: '127.0.0.2' } // An address of its own: nginx reaches the server from 127.0.0.1.
  const { status, body } = await ask(proxy.port, '/health/connection', { headers, ...from })
  expect(status).toBe(200)
  expect(JSON.parse(body)).toEqual({ client: 'proxy', isForwarded: true, protocol: 'https' })
})

test('a websocket is opened through nginx', async () => {
  const upgrade = request({
    host: 'localhost',
    port: proxy.port,
    ca: selfSigned.cert,
    path: '/socket.io/?EIO=4&transport=websocket',
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16, 1).toString('base64'),
    },
  })
  upgrade.end()
  const [response, socket] = await once(upgrade, 'upgrade')
  expect(response.statusCode).toBe(101)
  socket.destroy()
})

test('a body of 100 MiB reaches the server, which refuses it itself', async () => {
  const { status, body } = await ask(
    proxy.port,
    '/api/upload/video',
    { method: 'POST', headers: { 'content-type': 'video/mp4' } },
    Buffer.alloc(100 * 1024 * 1024),
  )
  expect(status).toBe(401)
  expect(JSON.parse(body)).toMatchObject({ code: 'UNAUTHENTICATED' })
})

test('the internal routes end at nginx', async () => {
  const { status, body } = await ask(proxy.port, '/api/internal/videos/any')
  expect(status).toBe(404)
  expect(body).toContain('nginx')
})

test('systemd accepts the units', () => {
  const units = ['atrium.service', 'atrium-backup.service', 'atrium-backup.timer'].map((name) => {
    const file = join(temporary.path, name)
    writeFileSync(file, readFile(name).replaceAll(installedIn, root))
    return file
  })
  const { status, stderr } = spawnSync(findProgram('systemd-analyze'), ['verify', ...units], {
    encoding: 'utf8',
  })
  expect(stderr.split('\n').filter((line) => line.includes(temporary.path) || line.includes(folder))).toEqual(
    [],
  )
  expect(status).toBe(0)
})
