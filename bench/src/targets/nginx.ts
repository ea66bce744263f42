import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createTemporaryFolder, waitUntil } from '@atrium/testkit'
import { childrenOf, cpuMicrosOf } from '../harness/measure.ts'

export type NginxKind = 'nginx' | 'nginx + Lua'

interface NginxOptions {
  kind: NginxKind
  backend: string
  redisUrl: string
}

const modules = '/usr/lib/nginx/modules'
const luaFiles = [`${modules}/ngx_http_lua_module.so`, '/usr/share/lua/5.1/nginx/redis.lua']

/** One worker, because our router is one process. Undefined if nginx is not installed. */
export async function startNginx({ kind, backend, redisUrl }: NginxOptions) {
  if (kind === 'nginx + Lua' && !luaFiles.every(existsSync)) return undefined
  return await launchNginx(
    kind,
    (port) => (kind === 'nginx' ? plainConfig(port, backend) : luaConfig(port, redisUrl)),
    '/api/room/room_bench',
  )
}

/** Takes uploads by PUT and writes them to files, also with one worker. */
export const startNginxForUploads = () => launchNginx('nginx PUT', uploadConfig, '/')

async function launchNginx(name: string, configOf: (port: number) => string, probePath: string) {
  const folder = createTemporaryFolder('nginx')
  const port = await freePort()
  const file = join(folder.path, 'nginx.conf')
  writeFileSync(file, configOf(port))
  const child = spawn('nginx', ['-p', folder.path, '-c', file, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const address = `http://127.0.0.1:${port}`
  if (!(await untilResponding(child, `${address}${probePath}`))) {
    folder.remove()
    if (stderr === '') return undefined
    throw new Error(`nginx did not start: ${stderr}`)
  }
  const workers = childrenOf(child.pid ?? 0)
  return {
    name,
    address,
    folder: folder.path,
    cpuMicros: () => workers.reduce((total, pid) => total + cpuMicrosOf(pid), 0),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      folder.remove()
    },
  }
}

/** False if the program does not exist or ends at once. */
async function untilResponding(child: ChildProcess, address: string): Promise<boolean> {
  let isGone = false
  child.once('error', () => {
    isGone = true
  })
  child.once('exit', () => {
    isGone = true
  })
  await waitUntil(async () => isGone || (await fetch(address)).status < 500 || 'not yet')
  return !isGone
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}

const settings = (load: string, http: string): string => `
${load}
daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr error;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  keepalive_requests 1000000000;
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  ${http}
}
`

const location = (before: string): string => `location / {
      ${before}
      proxy_pass http://pods;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-Host $http_host;
    }`

const keepAlive = 'keepalive 512; keepalive_requests 1000000000;'

const plainConfig = (port: number, backend: string): string =>
  settings(
    '',
    `upstream pods { server ${new URL(backend).host}; ${keepAlive} }
  server { listen 127.0.0.1:${port}; ${location('')} }`,
  )

/** Runs as the user that started it, so that it may write into our folder. */
const uploadConfig = (port: number): string =>
  settings(
    process.getuid?.() === 0 ? 'user root;' : '',
    `server {
    listen 127.0.0.1:${port};
    root .;
    client_max_body_size 0;
    location / { dav_methods PUT; create_full_put_path on; client_body_buffer_size 1m; }
  }`,
  )

/** Reads the room's pod and the pod's lease from Redis for every request, over kept connections, as is common. */
const luaConfig = (port: number, redisUrl: string): string =>
  settings(
    `load_module ${modules}/ndk_http_module.so;\nload_module ${modules}/ngx_http_lua_module.so;`,
    `upstream pods {
    server 0.0.0.1;
    balancer_by_lua_block {
      require('ngx.balancer').set_current_peer(ngx.ctx.host, ngx.ctx.port)
    }
    ${keepAlive}
  }
  server {
    listen 127.0.0.1:${port};
    ${location(`access_by_lua_block {
        local found = ngx.re.match(ngx.var.request_uri, [[/(room_[\\w-]+)|[?&]roomId=(room_[\\w-]+)]], 'jo')
        local redis = require('nginx.redis'):new()
        assert(redis:connect('127.0.0.1', ${new URL(redisUrl).port}))
        local assignment = redis:get('room:' .. (found[1] or found[2]) .. ':pod')
        local pod = string.match(assignment, '"podId":"([^"]+)"')
        local lease = redis:get('pod:' .. pod .. ':lease')
        redis:set_keepalive(60000, 512)
        local host, port = string.match(lease, '"address":"http://([^:]+):(%d+)"')
        ngx.ctx.host, ngx.ctx.port = host, tonumber(port)
      }`)}
  }`,
  )
