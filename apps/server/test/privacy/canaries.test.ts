import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportedTables, participantRoutes } from '@atrium/contract'
import { createTemporaryFolder, describeInOneMode } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readEveryFormat } from '../exports/read-files.ts'
import { playCanaryStudy } from './canary-study.ts'

const printAll =
  'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); sys.stdout.buffer.write(b"".join(map(z.read, z.namelist())))'

describeInOneMode(
  'who people are',
  (world) => {
    let played: Awaited<ReturnType<typeof playCanaryStudy>>
    const folder = createTemporaryFolder('canaries')
    afterAll(folder.remove)
    beforeAll(async () => {
      played = await playCanaryStudy(world)
    })

    /** Names of the canaries in a text, as they are or as addresses and JSON write them. */
    function canariesIn(text: string): string[] {
      return played.people.flatMap(({ name, canaries, session, token }) =>
        Object.entries({ ...canaries, token, sessionId: session.sessionId }).flatMap(([kind, canary]) =>
          [canary, encodeURIComponent(canary), JSON.stringify(canary).slice(1, -1)].some((form) =>
            text.includes(form),
          )
            ? [`${kind} of ${name}`]
            : [],
        ),
      )
    }

    async function ask(query: string) {
      const { token } = await played.table.researcher()
      const path = `${world().any().http}/api/experiments/${played.experimentId}/export?${query}`
      const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } })
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
    }

    test('[R47] is in the file that is asked for by name, so that the canaries were planted', async () => {
      const { bytes } = await ask('identity=true')
      const kinds = ['subject', 'externalId', 'prolificId', 'studyId', 'unknown']
      expect(canariesIn(bytes.toString()).toSorted()).toEqual(
        played.people.flatMap(({ name }) => kinds.map((kind) => `${kind} of ${name}`)).toSorted(),
      )
    })

    test('[R47] is in no table, in no format, whole or in pages', async () => {
      const { token } = await played.table.researcher()
      const of = { http: world().any().http, token, experimentId: played.experimentId }
      for (const table of [...exportedTables, 'codebook'] as const) {
        const read = await readEveryFormat({ ...of, table })
        // Compressed pages hide a text from a search through the bytes; a reader does not.
        for (const [format, { rows, types }] of Object.entries(read)) {
          expect(rows.length, `${table} has rows`).toBeGreaterThan(0)
          expect(canariesIn(JSON.stringify({ rows, types })), `${table} ${format}`).toEqual([])
        }
        for (const format of ['jsonl', 'csv', 'parquet'])
          expect(canariesIn((await ask(`table=${table}&format=${format}`)).bytes.toString('latin1'))).toEqual(
            [],
          )
        if (table === 'agent_turns' || table === 'codebook') continue
        const page = await ask(`table=${table}&format=csv&cursor=start`)
        expect([page.status, canariesIn(page.bytes.toString())]).toEqual([200, []])
      }
    })

    test('[R47] is in no file of the archive', async () => {
      const zip = join(folder.path, 'study.zip')
      writeFileSync(zip, (await ask('format=psych-ds')).bytes)
      const unpacked = execFileSync('python3', ['-c', printAll, zip]).toString()
      for (const { session } of played.people) expect(unpacked).toContain(session.participantId)
      expect(canariesIn(unpacked)).toEqual([])
    })

    test('[R13] is in no answer that refuses something', async () => {
      const { experimentId, roomId, people, table } = played
      const answers: { status: number; text: string }[] = []
      const { token: researcher } = await table.researcher()
      for (const { api, headers, token, body, session, canaries } of people) {
        const join = (more: object) =>
          api.call(participantRoutes.joinV4, { token, headers, body: { ...body, ...more } })
        const { externalId, prolificId } = canaries
        const metadata = { ...body.metadata, [prolificId]: 'x'.repeat(10_000) }
        // An answer repeats the name of a role or an experiment that there is not, to whoever sent it. The log must not.
        for (const unknown of [{ role: externalId }, { experimentId: externalId }])
          expect((await join(unknown)).status).toBeGreaterThanOrEqual(400)
        answers.push(
          await join({ metadata }),
          await join({ metadata: externalId }),
          await api.call(participantRoutes.joinV4, { token: `${token}x`, headers, body }),
          await api.call(participantRoutes.eventsV4, {
            session,
            headers,
            body: { events: [{ type: externalId, timestamp: prolificId, data: externalId }] },
          }),
          await api.call(participantRoutes.completeV4, {
            session,
            headers,
            body: { completionCode: { externalId } },
          }),
          await api.call(participantRoutes.discoverV4, { session, headers: { 'user-agent': externalId } }),
        )
        for (const path of [
          `/api/participant/guest?id=${encodeURIComponent(externalId)}`,
          `/api/experiments/${experimentId}/participants/${encodeURIComponent(externalId)}/export`,
          `/api/experiments/${experimentId}/export?status=${encodeURIComponent(externalId)}`,
          `/api/experiments/${experimentId}/export?cursor=${encodeURIComponent(externalId)}`,
          `/api/room/${roomId}/${encodeURIComponent(externalId)}`,
        ]) {
          const authorization = `Bearer ${researcher}`
          const answer = await fetch(world().any().http + path, { headers: { ...headers, authorization } })
          answers.push({ status: answer.status, text: await answer.text() })
        }
      }
      expect(answers.filter(({ status }) => status < 400)).toEqual([])
      expect(answers.flatMap(({ text }) => canariesIn(text).map((found) => `${found}: ${text}`))).toEqual([])
    })

    test('[R13] is in no log and in no metric, after all of this', async () => {
      for (const server of world().servers) {
        expect(server.stderr()).toContain('"msg":"answered"')
        expect(canariesIn(server.stdout())).toEqual([])
        expect(canariesIn(server.stderr())).toEqual([])
        const scraped = await (await fetch(`${server.metrics}/metrics`)).text()
        expect(scraped).toContain('http_requests_total')
        const figures = await (await fetch(`${server.http}/api/health/metrics`)).text()
        expect(canariesIn(scraped + figures)).toEqual([])
      }
    })
  },
  { env: { LOG_LEVEL: 'trace', TRUST_PROXY: 'true' } },
)
