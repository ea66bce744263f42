import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { diagnose } from '../../src/doctor/diagnose.ts'
import type { Finding } from '../../src/doctor/finding.ts'

export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Findings that are not ok, each as `check: level`; throws if one of them shows a secret of the environment. */
export async function troubleIn(env: Record<string, string>): Promise<string[]> {
  const findings = await diagnose({ PATH: process.env.PATH, PORT: '0', METRICS_PORT: '0', ...env })
  refuseSecrets(findings, env)
  return findings
    .filter(({ level }) => level !== 'ok')
    .map(({ check, level }) => `${check}: ${level}`)
    .sort()
}

function refuseSecrets(findings: Finding[], env: Record<string, string>): void {
  const text = JSON.stringify(findings)
  const passwords = [env.DATABASE_URL, env.REDIS_URL, env.OIDC_ISSUER].flatMap((url) =>
    url === undefined ? [] : [new URL(url).password],
  )
  const secrets = [env.SESSION_SECRET, env.INTERNAL_API_KEY, env.S3_SECRET_ACCESS_KEY, ...passwords]
  for (const secret of secrets)
    if (secret && secret !== 'password' && text.includes(secret)) throw new Error('a finding shows a secret')
}

/** A proxy that appends the address of its client, as nginx with `$proxy_add_x_forwarded_for`. */
export async function startProxy(target: string): Promise<{ url: string; stop(): void }> {
  const proxy = createServer((incoming, outgoing) => {
    const sent = incoming.headers['x-forwarded-for']
    const forwarded = [...(sent === undefined ? [] : [sent]), '203.0.113.9'].join(', ')
    const headers = { ...incoming.headers, 'x-forwarded-for': forwarded }
    const onward = request(target + incoming.url, { headers, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    onward.on('error', () => outgoing.writeHead(502).end())
    onward.end()
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop() {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}

/** A program that passes for ffmpeg and ffprobe of this version, with these encoders. */
export async function makeFfmpeg(folder: string, version: string, encoders: string[]): Promise<string> {
  const path = join(folder, `ffmpeg-${version}-${encoders.length}`)
  const cases = encoders.map((name) => `*encoder=${name}*) echo "Encoder ${name} [it]:" ;;`)
  const banner = `*-version*) echo "ffmpeg version ${version} Copyright (c) the developers" ;;`
  await writeFile(path, `#!/bin/sh\ncase "$*" in\n${[...cases, banner].join('\n')}\nesac\n`)
  await chmod(path, 0o755)
  return path
}
