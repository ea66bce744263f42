import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answerFileRoutes, auditRoutes, limits, participantRoutes, privacyRoutes } from '@atrium/contract'
import {
  createResearcher,
  createTemporaryFolder,
  type SocketSession,
  smallestDefinition,
  startWorld,
  succeeded,
  undocumented,
  type World,
} from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectToContinue } from '../exports/continued.ts'
import { acknowledged, refused as codeOfRefusal, tableIn } from '../rooms/table.ts'

let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())
const table = tableIn(() => world)

const photo = { id: 'photo', type: 'file_upload', accept: ['image/*'], maxBytes: 1_000 }
const study = smallestDefinition({
  name: 'Files',
  states: [
    {
      id: 'ask',
      components: [
        photo,
        { id: 'voice', type: 'audio_answer', roles: ['speaker'] },
        { id: 'words', type: 'text_input' },
      ],
    },
  ],
  roles: ['speaker', 'writer'],
  matching: { groupSize: 2 },
})

interface Sent {
  componentId?: string
  body?: string
  type?: string
  field?: string
  query?: string
}

/** As a browser sends it; every response is checked against the documented ones. */
async function upload(session: SocketSession, sent: Sent = {}) {
  const { componentId = 'photo', body = 'pixels', type = 'image/png', field = 'file', query = '' } = sent
  const form = new FormData()
  form.set(field, new Blob([body], { type }), 'p.png')
  const path = participantRoutes.fileV4.path.replace(':componentId', encodeURIComponent(componentId))
  const response = await fetch(`${table.server().http}${path}${query}`, {
    method: 'POST',
    headers: { 'user-agent': 'atrium-test/1.0', 'x-session-id': session.sessionId },
    body: form,
  })
  const text = await response.text()
  const answer = { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  expect(undocumented(participantRoutes.fileV4, answer)).toBeUndefined()
  return answer
}

const codeIn = (answer: { body: { error?: { code?: string } } }) => answer.body.error?.code

async function seated() {
  const experimentId = await table.open(study)
  const speaker = await table.join(experimentId, 'speaker')
  const writer = await table.join(experimentId, 'writer')
  const roomId = await table.seatByHand(experimentId, [speaker.participantId, writer.participantId])
  return { experimentId, speaker: { ...speaker, roomId }, writer: { ...writer, roomId } }
}

const answer = (file: object) => ({ name: 'p.png', type: 'image/png', ...file })

async function download(experimentId: string, participantId: string, fileId: string, token?: string) {
  const path = answerFileRoutes.download.path
    .replace(':experimentId', experimentId)
    .replace(':participantId', participantId)
    .replace(':fileId', fileId)
  return await fetch(table.server().http + path, {
    headers: { authorization: `Bearer ${token ?? (await table.researcher()).token}` },
  })
}

test('[FI1,FI3,FI4] a file is uploaded, named by the answer, and downloaded as it was, but never shown', async () => {
  const { experimentId, writer } = await seated()
  const { data } = (await upload(writer)).body
  expect(data).toEqual({ fileId: expect.stringMatching(/^file_/), size: 6 })
  const socket = await table.connect(writer)
  const submit = (value: object) => socket.act('submit_response', { componentId: 'photo', value })
  const unknown = `file_${'A'.repeat(22)}`
  expect(await codeOfRefusal(submit(answer({ fileId: unknown, size: 6 })))).toBe('ACTION_REFUSED')
  expect(await codeOfRefusal(submit(answer({ ...data, size: 7 })))).toBe('ACTION_REFUSED')
  await acknowledged(submit(answer(data)))
  socket.close()

  const file = await download(experimentId, writer.participantId, data.fileId)
  expect(await file.text()).toBe('pixels')
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${data.fileId}"`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  const { token } = await table.researcher()
  const { entries } = succeeded(await table.api.call(auditRoutes.list, { token, query: {} }))
  const audited = entries.find(({ action }) => action === 'file_downloaded')
  expect(audited).toMatchObject({ subject: experimentId, details: { bytes: 6 } })
})

test('[FI3] nobody can name the file of somebody else', async () => {
  const { speaker, writer } = await seated()
  const { data } = (await upload(writer)).body
  const socket = await table.connect(speaker)
  const value = answer(data)
  expect(await codeOfRefusal(socket.act('submit_response', { componentId: 'photo', value }))).toBe(
    'ACTION_REFUSED',
  )
  socket.close()
})

test.each<[string, Sent, number, string]>([
  ['of another type', { type: 'text/html' }, 400, 'VALIDATION_FAILED'],
  ['that is too large', { body: 'x'.repeat(1_001) }, 413, 'PAYLOAD_TOO_LARGE'],
  ['that is empty', { body: '' }, 400, 'VALIDATION_FAILED'],
  ['for a component that takes none', { componentId: 'words' }, 409, 'ACTION_REFUSED'],
  ['for an unknown component', { componentId: '../..' }, 409, 'ACTION_REFUSED'],
  ['for a component of another role', { componentId: 'voice', type: 'audio/webm' }, 409, 'ACTION_REFUSED'],
  ['in another field', { field: 'other' }, 400, 'VALIDATION_FAILED'],
  ['for another experiment', { query: '?experimentId=other' }, 403, 'SESSION_MISMATCH'],
])('[FI1] a file %s is refused', async (_what, sent, status, code) => {
  const { writer } = await seated()
  const refused = await upload(writer, sent)
  expect([refused.status, codeIn(refused)]).toEqual([status, code])
})

test('[FI1] a file beyond the limit of all studies is refused before it is read', async () => {
  const { speaker } = await seated()
  const body = 'x'.repeat(limits.answerFileBytes + 100_000)
  const refused = await upload(speaker, { componentId: 'voice', type: 'audio/webm', body })
  expect([refused.status, codeIn(refused)]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  expect((await upload(speaker, { componentId: 'voice', type: 'audio/webm;codecs=opus' })).status).toBe(200)
})

test('[FI4] files of another experiment, of somebody unknown, and unknown files do not exist', async () => {
  const { experimentId, writer } = await seated()
  const other = await seated()
  const { fileId } = (await upload(writer)).body.data
  expect((await download(other.experimentId, writer.participantId, fileId)).status).toBe(404)
  expect((await download(experimentId, other.writer.participantId, fileId)).status).toBe(404)
  expect((await download(experimentId, writer.participantId, `file_${'A'.repeat(22)}`)).status).toBe(404)
  expect((await download(experimentId, writer.participantId, '..%2f..%2fsecret')).status).toBe(400)
  const stranger = await createResearcher(table.api)
  expect((await download(experimentId, writer.participantId, fileId, stranger.token)).status).toBe(404)
})

test('[FI5,R48] deleting a participant deletes their files and leaves those of others', async () => {
  const { experimentId, speaker, writer } = await seated()
  const { fileId } = (await upload(writer)).body.data
  const kept = (await upload(speaker)).body.data
  const { token } = await table.researcher()
  const params = { experimentId, participantId: writer.participantId }
  succeeded(await table.api.call(privacyRoutes.erase, { token, params, query: { scope: 'all' } }))
  expect((await download(experimentId, writer.participantId, fileId)).status).toBe(404)
  expect(codeIn(await upload(writer))).toMatch(/^SESSION_/)
  expect((await download(experimentId, speaker.participantId, kept.fileId)).status).toBe(200)
})

interface Manifest {
  files: { path: string; bytes: number; sha256: string }[]
}

/** Read by another program, which checks every CRC as well. */
async function archiveOf(experimentId: string, filters = '') {
  const { token } = await table.researcher()
  const path = `${table.server().http}/api/experiments/${experimentId}/export?format=psych-ds${filters}`
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } })
  const folder = createTemporaryFolder('archive')
  const zip = join(folder.path, 'study.zip')
  writeFileSync(zip, Buffer.from(await response.arrayBuffer()))
  execFileSync('python3', ['-m', 'zipfile', '-e', zip, join(folder.path, 'study')])
  const contentOf = (name: string) => readFileSync(join(folder.path, 'study', name))
  const { files }: Manifest = JSON.parse(contentOf('documentation/manifest.json').toString())
  const found = files
    .filter(({ path }) => path.startsWith('data/files/'))
    .map(({ path, bytes, sha256 }) => {
      const content = contentOf(path)
      expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256])
      return [path, content.toString('latin1')] as const
    })
  folder.remove()
  return Object.fromEntries(found)
}

test('[D19,FI7] the archive has the files that answers name, byte for byte, as the filters and deletions leave them', async () => {
  const { experimentId, speaker, writer } = await seated()
  const sound = Array.from({ length: 2_500_000 }, (_, at) => String.fromCharCode(97 + (at % 26))).join('')
  const asked = { componentId: 'voice', type: 'audio/webm', body: sound }
  const voice = (await upload(speaker, asked)).body.data
  const picture = (await upload(writer)).body.data
  await upload(writer, { body: 'never named by an answer' })
  const spoken = { ...answer(voice), type: 'audio/webm', durationMs: 1_000 }
  for (const [session, componentId, value] of [
    [speaker, 'voice', spoken],
    [writer, 'photo', { ...answer(picture), type: 'text/html', name: 'Ada Lovelace.html' }],
  ] as const) {
    const socket = await table.connect(session)
    await acknowledged(socket.act('submit_response', { componentId, value }))
    socket.close()
  }
  const ofSpeaker = { [`data/files/${speaker.participantId}/${voice.fileId}.webm`]: sound }
  const { token } = await table.researcher()
  const { http } = table.server()
  await expectToContinue({ http, token, experimentId, query: { format: 'psych-ds' } })
  // Without an ending that would make a browser run it, and without its name.
  const ofWriter = { [`data/files/${writer.participantId}/${picture.fileId}`]: 'pixels' }
  expect(await archiveOf(experimentId)).toEqual({ ...ofSpeaker, ...ofWriter })
  expect(await archiveOf(experimentId, '&status=completed')).toEqual({})
  const params = { experimentId, participantId: speaker.participantId }
  succeeded(await table.api.call(privacyRoutes.erase, { token, params, query: { scope: 'all' } }))
  expect(await archiveOf(experimentId)).toEqual(ofWriter)
})

test('[R10] 30 files a minute', async () => {
  const { writer } = await seated()
  const statuses: number[] = []
  for (let sent = 0; sent <= limits.requestsPerWindow.files; sent++)
    statuses.push((await upload(writer)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(limits.requestsPerWindow.files)
  expect(statuses.at(-1)).toBe(429)
})
