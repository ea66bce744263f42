import {
  experimentRoutes,
  limits,
  type MediaRecord,
  mediaRoutes,
  objectKeys,
  participantRoutes,
  shareRoutes,
  tableRoutes,
} from '@atrium/contract'
import { codeOf, createPerson, createResearcher, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { makeZip } from '../../src/modules/media/files/test/make-zip.ts'
import { pngNumber, samples, tinyPng } from '../../src/modules/media/files/test/samples.ts'
import { formOf, upload } from './upload-media.ts'
import { videoStage } from './video-stage.ts'

const { stage } = videoStage()
let count = 0
const newName = (ending = 'png') => `face ${++count}.${ending}`

async function uploaded(token: string, name = newName(), content: Uint8Array = pngNumber(++count)) {
  const { status, body } = await upload(stage().http, token, formOf({ [name]: content }))
  expect([status, body.error]).toEqual([200, undefined])
  return body.media[0] ?? expect.fail('nothing was uploaded')
}

const read = (token: string, mediaId: string) =>
  stage().api.call(mediaRoutes.read, { token, params: { mediaId } })
const remove = (token: string, mediaId: string) =>
  stage().api.call(mediaRoutes.remove, { token, params: { mediaId } })
const studyWith = (settings: object) =>
  smallestDefinition({ globalComponents: [{ id: 'shown', type: 'image', ...settings }] })

test('[V24] pictures and sounds are uploaded together and in a ZIP, and are what their bytes are', async () => {
  const { ada, http, memory } = stage()
  const zip = await makeZip({ 'set/one.txt': samples['image/gif'], 'set/two.png': samples['audio/mpeg'] })
  const form = formOf({ 'three.jpg': samples['image/webp'], 'set.zip': zip })
  const { status, body } = await upload(http, ada.token, form)
  expect(status).toBe(200)
  expect(body.media).toEqual([
    { mediaId: expect.stringMatching(/^med_/), name: 'three.jpg', kind: 'picture', bytes: 96 },
    { mediaId: expect.stringMatching(/^med_/), name: 'one.txt', kind: 'picture', bytes: 96 },
    { mediaId: expect.stringMatching(/^med_/), name: 'two.png', kind: 'sound', bytes: 96 },
  ])
  const [three] = body.media
  expect(memory.objects.get(objectKeys.mediaFile(three?.mediaId ?? ''))?.contentType).toBe('image/webp')
  expect((await upload(http, ada.token, form)).body.media).toEqual(body.media)
})

test('[V24] an upload is taken as a whole or not at all, and the refusal names what is wrong', async () => {
  const { ada, http, memory } = stage()
  const before = memory.objects.size
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const { status, body } = await upload(http, ada.token, formOf({ [newName()]: tinyPng, 'logo.svg': svg }))
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  expect(body.error).toContain('‘logo.svg’ is an SVG, which can hold scripts; save it as PNG or WebP')
  const { name } = await uploaded(ada.token)
  const taken = await upload(http, ada.token, formOf({ [newName()]: pngNumber(-1), [name]: pngNumber(-2) }))
  expect([taken.status, taken.body.code]).toEqual([409, 'MEDIA_NAME_TAKEN'])
  expect(taken.body.error).toContain(`‘${name}’`)
  expect(memory.objects.size).toBe(before + 1)
})

test('[V24] what cannot be stored leaves nothing behind, and can be sent again', async () => {
  const { ada, http, memory } = stage()
  const form = formOf({ [newName()]: pngNumber(++count) })
  memory.trouble.kind = 'full'
  expect((await upload(http, ada.token, form)).body.code).toBe('STORAGE_FULL')
  memory.trouble.kind = undefined
  expect((await upload(http, ada.token, form)).status).toBe(200)
})

test('[V25] forms with other fields, without files or with too many of them are refused', async () => {
  const { ada, http } = stage()
  const other = new FormData()
  other.set('picture', new Blob([new Uint8Array(tinyPng)]), 'a.png')
  const many = new FormData()
  for (let index = 0; index <= limits.media.filesPerUpload; index++)
    many.append('file', new Blob(['x']), `${index}.png`)
  for (const form of [other, new FormData(), many]) {
    const { status, body } = await upload(http, ada.token, form)
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  }
})

test('[V26,R37] files are their owner’s, and those who see a study that uses one see it, too', async () => {
  const { ada, bob, admin, api } = stage()
  const { mediaId, name } = await uploaded(ada.token)
  expect(codeOf(await read(bob.token, mediaId))).toBe('MEDIA_NOT_FOUND')
  const experimentId = await ada.openExperiment(studyWith({ mediaId }))
  const shares = [{ user: bob.sub, access: 'view' }]
  succeeded(
    await api.call(shareRoutes.replace, { token: ada.token, params: { experimentId }, body: { shares } }),
  )
  const usedBy = [{ experimentId, name: 'A small study' }]
  expect(succeeded(await read(bob.token, mediaId))).toMatchObject({ name, isOwn: false, usedBy })
  expect(succeeded(await read(admin, mediaId))).toMatchObject({ isOwn: false, usedBy })
  expect(codeOf(await remove(bob.token, mediaId))).toBe('FORBIDDEN')
  const refused = await remove(ada.token, mediaId)
  expect(codeOf(refused)).toBe('MEDIA_IN_USE')
  expect(JSON.stringify(refused.body)).toContain('because ‘A small study’ uses it')
})

test('[V26] a file is listed, renamed and deleted, and a deleted one gives its name back', async () => {
  const { api } = stage()
  const { token } = await createResearcher(api)
  const [one, two] = [await uploaded(token), await uploaded(token, newName('wav'), samples['audio/wav'])]
  const list = async (query: Record<string, string>) =>
    succeeded(await api.call(mediaRoutes.list, { token, query }))
  const idsOf = ({ media }: { media: MediaRecord[] }) => media.map(({ mediaId }) => mediaId)
  expect(idsOf(await list({})).toSorted()).toEqual([one.mediaId, two.mediaId].toSorted())
  expect(idsOf(await list({ kind: 'sound' }))).toEqual([two.mediaId])
  const page = await list({ limit: '1' })
  expect(idsOf(await list({ before: page.next ?? '' }))).toHaveLength(1)
  const rename = (mediaId: string, name: string) =>
    api.call(mediaRoutes.rename, { token, params: { mediaId }, body: { name } })
  expect(succeeded(await rename(one.mediaId, 'Mu\u0308ller.png'))).toMatchObject({ name: 'Müller.png' })
  expect(codeOf(await rename(two.mediaId, 'Müller.png'))).toBe('MEDIA_NAME_TAKEN')
  for (const name of ['', '..', 'a/b.png', 'a\\b.png', 'x'.repeat(256)])
    expect([name, codeOf(await rename(one.mediaId, name))]).toEqual([name, 'VALIDATION_FAILED'])
  succeeded(await remove(token, one.mediaId))
  expect(codeOf(await read(token, one.mediaId))).toBe('MEDIA_NOT_FOUND')
  expect(stage().memory.objects.has(objectKeys.mediaFile(one.mediaId))).toBe(false)
  succeeded(await rename(two.mediaId, 'Müller.png'))
})

test('[V27] a study is saved only with files that exist, that its author may use, and that fit', async () => {
  const { ada, bob, api } = stage()
  const picture = await uploaded(ada.token)
  const sound = await uploaded(ada.token, newName('wav'), samples['audio/wav'])
  const check = async (token: string, settings: object) => {
    const answer = await api.call(experimentRoutes.check, { token, body: studyWith(settings) })
    return JSON.stringify(answer.body)
  }
  expect(await check(ada.token, { mediaId: picture.mediaId })).toContain('"isValid":true')
  expect(await check(ada.token, { src: `media:${picture.name}` })).toContain('"isValid":true')
  expect(await check(bob.token, { mediaId: picture.mediaId })).toContain('that you may use')
  expect(await check(bob.token, { src: `media:${picture.name}` })).toContain('upload it on the Media page')
  expect(await check(ada.token, { mediaId: sound.mediaId })).toContain(
    'is a sound, but a picture is needed here',
  )
  expect(await check(ada.token, { src: `media:${sound.name}` })).toContain('"path":"/globalComponents/0/src"')
  expect(await check(ada.token, { mediaId: 'med_x' })).toContain('"isValid":false')
  expect(await check(ada.token, { mediaId: picture.mediaId, src: '/a.png' })).toContain('remove one of them')
})

test('[V29,R38] participants get signed paths of the files of their study, under the names that it uses', async () => {
  const { ada, api, http } = stage()
  const one = await uploaded(ada.token)
  const content = pngNumber(++count)
  const two = await uploaded(ada.token, newName(), content)
  const globalComponents = [
    { id: 'one', type: 'image', src: `media:${one.name}` },
    { id: 'two', type: 'image', mediaId: two.mediaId },
  ]
  const experimentId = await ada.openExperiment(smallestDefinition({ globalComponents }))
  succeeded(
    await api.call(mediaRoutes.rename, {
      ...{ token: ada.token, params: { mediaId: one.mediaId } },
      body: { name: newName() },
    }),
  )
  const session = await (await createPerson(api)).join(experimentId)
  const { data } = succeeded(await api.call(participantRoutes.mediaV4, { session }))
  expect(data.files).toEqual([
    expect.objectContaining({ mediaId: one.mediaId, names: [one.name], kind: 'picture' }),
    expect.objectContaining({ mediaId: two.mediaId, names: [], bytes: content.length }),
  ])
  const url = http + (data.files[1]?.url ?? '')
  const whole = await fetch(url)
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(content)
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'access-control-allow-origin': '*',
    'accept-ranges': 'bytes',
    'cache-control': expect.stringMatching(/^public, max-age=\d{4,}$/),
  })
  const part = await fetch(url, { headers: { range: 'bytes=1-3' } })
  expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
    206,
    'PNG',
    `bytes 1-3/${content.length}`,
  ])
  const forged = url.replace(two.mediaId, one.mediaId)
  expect((await fetch(forged)).status).toBe(403)
  expect((await fetch(`${url}/x`)).status).toBe(404)
})

test('[V28,V29] names in variables, in what states assign to them and in levels of factors count as uses, and participants get the files', async () => {
  const { ada, api } = stage()
  const [initial, drawn, level, secret, assigned] = [
    await uploaded(ada.token),
    await uploaded(ada.token, `drawn${++count}.png`),
    await uploaded(ada.token, `level${++count}.png`),
    await uploaded(ada.token),
    await uploaded(ada.token),
  ]
  const [page] = smallestDefinition().states
  const definition = smallestDefinition({
    states: [{ id: 'later', components: [], ...page, onEnter: { shown: `'media:${assigned.name}'` } }],
    variables: {
      shown: `media:${initial.name}`,
      face: { initial: { expression: `draw(['media:${drawn.name}'])` } },
      hidden: { initial: `media:${secret.name}`, secret: true },
    },
    conditions: { factors: { picture: [`media:${level.name}`, 'none'] } },
  })
  const experimentId = await ada.openExperiment(definition)
  for (const { mediaId } of [initial, drawn, level, secret, assigned])
    expect(codeOf(await remove(ada.token, mediaId))).toBe('MEDIA_IN_USE')
  const session = await (await createPerson(api)).join(experimentId)
  const { data } = succeeded(await api.call(participantRoutes.mediaV4, { session }))
  const names = data.files.flatMap((file) => file.names)
  expect(names.toSorted()).toEqual([initial.name, drawn.name, level.name, assigned.name].toSorted())
  const unknown = { ...definition, variables: { shown: 'media:nobody has this.png' } }
  const answer = await api.call(experimentRoutes.check, { token: ada.token, body: unknown })
  expect(JSON.stringify(answer.body)).toContain('"path":"/variables/shown"')
})

test('[V27,V28,V29] names in an uploaded table count as those in the definition, and whoever joins knows that there are some', async () => {
  const { ada, api } = stage()
  const [one, two] = [await uploaded(ada.token), await uploaded(ada.token)]
  const tableOf = async (...names: string[]) => {
    const text = ['face', ...names.map((name) => `media:${name}`)].join('\n')
    return succeeded(await api.call(tableRoutes.create, { token: ada.token, body: { name: 'faces', text } }))
  }
  const studyOf = ({ tableId }: { tableId: string }) => ({
    ...smallestDefinition({}),
    states: [
      { id: 'look', components: [{ id: 'face', type: 'image', src: '{{trial.face}}', alt: 'A face' }] },
    ],
    tables: { faces: { tableId } },
    blocks: [{ id: 'faces', states: ['look'], trials: { table: 'faces' } }],
  })
  const wrong = { token: ada.token, body: studyOf(await tableOf(one.name, 'nobody.png')) }
  expect(JSON.stringify((await api.call(experimentRoutes.check, wrong)).body)).toContain('named ‘nobody.png’')
  expect(codeOf(await api.call(experimentRoutes.create, wrong))).toBe('VALIDATION_FAILED')

  const experimentId = await ada.openExperiment(studyOf(await tableOf(one.name, two.name)))
  expect(codeOf(await remove(ada.token, two.mediaId))).toBe('MEDIA_IN_USE')
  const session = await (await createPerson(api)).join(experimentId)
  expect(session.experimentConfig.mayShowFiles).toBe(true)
  const { data } = succeeded(await api.call(participantRoutes.mediaV4, { session }))
  expect(data.files.flatMap(({ names }) => names)).toEqual([one.name, two.name])
  const plain = await ada.openExperiment(smallestDefinition({}))
  expect((await (await createPerson(api)).join(plain)).experimentConfig).not.toHaveProperty('mayShowFiles')
})

test('[V29] nothing is served as anything but a picture or a sound', async () => {
  const { ada, http, memory } = stage()
  const { mediaId } = await uploaded(ada.token)
  const { url } = succeeded(await read(ada.token, mediaId))
  memory.store(objectKeys.mediaFile(mediaId), '<script>')
  expect((await fetch(http + url)).status).toBe(404)
})
