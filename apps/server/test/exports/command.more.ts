import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createDataClient } from '@atrium/client/node'
import { keyRoutes } from '@atrium/contract'
import {
  createTemporaryFolder,
  describeInOneMode,
  runnableOf,
  smallestDefinition,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { castOf } from '../stories/cast.ts'
import { download } from './read-files.ts'

const script = runnableOf(fileURLToPath(new URL('../../../../scripts/export.ts', import.meta.url)))
const run = promisify(execFile)
const long = 'ü'.repeat(60_000)
const noted = (index: number) => ({
  type: 'noted',
  timestamp: 1_700_000_000_000,
  data: { text: `${index} ${long}` },
})

interface Cut {
  afterBytes: number
  once(): Promise<void>
}

describeInOneMode('npm run export, and the data client', (world) => {
  const cast = castOf(world)

  async function openStudy() {
    const experimentId = await cast.open()
    for (let person = 0; person < 3; person++) {
      const { session } = await cast.participant(experimentId)
      for (let batch = 0; batch < 4; batch++)
        await cast.send(
          session,
          Array.from({ length: 7 }, (_, index) => noted(index)),
        )
    }
    const { token } = await cast.researcher()
    const body = { name: 'Nightly', access: 'read', experiments: [experimentId] }
    const { key } = succeeded(await cast.api.call(keyRoutes.create, { token, body }))
    return { experimentId, key, token }
  }

  /** Stands in front of the platform and decides what becomes of each request. */
  async function gateway(decide: (nth: number) => 'passes' | 'is refused' | Cut) {
    const asked: string[] = []
    const server = createServer(async (request, response) => {
      const fate = decide(asked.push(request.url ?? ''))
      if (fate === 'is refused')
        return void response.writeHead(403).end('{"code":"FORBIDDEN","error":"Not now."}')
      const { authorization = '' } = request.headers
      const answer = await fetch(world().any().http + request.url, { headers: { authorization } })
      const kept = [...answer.headers].filter(([name]) =>
        /^x-(next-cursor|export-id|export-offset)$/.test(name),
      )
      response.writeHead(answer.status, Object.fromEntries(kept))
      const body = Buffer.from(await answer.arrayBuffer())
      if (fate === 'passes') response.end(body)
      else {
        response.write(body.subarray(0, fate.afterBytes))
        await fate.once()
        response.destroy()
      }
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  test('[R47] an interrupted download continues, and the file is the one that an uninterrupted one gives', async () => {
    const { experimentId, key, token } = await openStudy()
    const folder = createTemporaryFolder('export-command')
    onTestFinished(folder.remove)
    const output = join(folder.path, 'events.csv')
    const command = async (server: string) =>
      await run(process.execPath, [script, experimentId, '--server', server, '--output', output], {
        env: { ...process.env, ATRIUM_KEY: key },
      })
    const interrupted = await gateway((nth) => (nth === 1 ? 'passes' : 'is refused'))
    await expect(command(interrupted.url)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Not now. (FORBIDDEN)'),
    })
    expect(existsSync(output)).toBe(false)

    const open = await gateway(() => 'passes')
    const { stdout } = await command(open.url)
    expect(stdout).toContain('continued at')
    expect(open.asked.every((path) => !path.includes('cursor=start'))).toBe(true)
    const of = { http: world().any().http, token, experimentId, table: 'events' as const }
    expect(readFileSync(output).equals(await download(of, 'csv'))).toBe(true)
    expect(readdirSync(folder.path)).toEqual(['events.csv'])
  })

  test('[D20] a file of one piece continues as well, or begins again if the data has changed', async () => {
    const { experimentId, key } = await openStudy()
    const folder = createTemporaryFolder('export-command')
    onTestFinished(folder.remove)
    const options = { cwd: folder.path, env: { ...process.env, ATRIUM_KEY: key } }
    const name = `${experimentId}-psych-ds.zip`
    const readZip = async () =>
      (await run('python3', ['-m', 'zipfile', '-t', join(folder.path, name)])).stdout
    const part = join(folder.path, `${name}.part`)
    // What a program has not read when the connection breaks off is lost to it.
    const hasSome = () =>
      waitUntil(() => (existsSync(part) && statSync(part).size > 0) || 'nothing was written')
    for (const hasChanged of [false, true]) {
      const { url, asked } = await gateway((nth) => {
        if (nth === 1) return { afterBytes: 4_000, once: hasSome }
        return nth === 2 ? 'is refused' : 'passes'
      })
      const command = () =>
        run(process.execPath, [script, experimentId, '--server', url, '--format', 'psych-ds'], options)
      await expect(command()).rejects.toMatchObject({
        stderr: expect.stringContaining('Not now. (FORBIDDEN)'),
      })
      expect(readdirSync(folder.path).sort()).toEqual([`${name}.part`, `${name}.part.json`])
      const held = statSync(part).size
      if (hasChanged) await cast.revise(experimentId, smallestDefinition({ name: 'Another name' }))
      const { stdout } = await command()
      expect(stdout.includes(`continued at ${held}`)).toBe(!hasChanged)
      expect(asked.map((path) => path.includes('resume='))).toEqual([
        false,
        true,
        true,
        ...(hasChanged ? [false] : []),
      ])
      expect(readdirSync(folder.path)).toEqual([name])
      expect(await readZip()).toContain('Done testing')
      rmSync(join(folder.path, name))
    }
  })

  test('[R49] rows are typed, and come one by one over all pages', async () => {
    const { experimentId, key } = await openStudy()
    const client = createDataClient({ baseUrl: world().any().http, key })
    const seqs: number[] = []
    for await (const { seq, type } of client.rows(experimentId, 'events'))
      if (type === 'noted') seqs.push(seq)
    expect(seqs).toHaveLength(3 * 4 * 7)
    const codes: (string | null)[] = []
    for await (const { completionCode } of client.rows(experimentId, 'participants', { status: 'open' }))
      codes.push(completionCode)
    expect(codes).toEqual([null, null, null])
    await expect(client.page('exp_unknown', {})).rejects.toMatchObject({ code: 'EXPERIMENT_NOT_FOUND' })
  })
})
