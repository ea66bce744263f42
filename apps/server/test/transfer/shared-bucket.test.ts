import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { videoIdOfOriginal } from '@atrium/contract'
import { startObjectStore } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { gatherObjectStore } from '../../src/doctor/gather/object-store.ts'
import { read } from '../operations/read-config.ts'
import { backUp, emptyInstallation, restore, smallInstallation } from './restored-installations.ts'
import { objectsOf, storeObjects } from './transfer-stage.ts'

const video = 'videos/one/original/film.mp4'

/**
 * A store in front of which stand the rights of docs/video.md: any object below videos/, no other, and the list of the
 * bucket. Without the proxy, `owner` may do everything.
 */
async function storeWithRights() {
  const store = await startObjectStore()
  onTestFinished(async () => void (await store.stop()))
  const { VIDEO_BUCKET: bucket } = store.s3Env
  const touched = new Set<string>()
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    const [, key = ''] = new RegExp(`^/${bucket}/([^?]*)`).exec(url) ?? []
    if (key !== '') touched.add(key)
    if (key !== '' && !key.startsWith('videos/')) {
      incoming.resume()
      outgoing.writeHead(403, { 'content-type': 'application/xml' })
      outgoing.end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>')
      return
    }
    const onward = request(store.http + url, { method, headers, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(onward.on('error', () => outgoing.destroy()))
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  const S3_ENDPOINT = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return { owner: store.s3Env, instance: { ...store.s3Env, S3_ENDPOINT }, touched }
}

test('[R50] a backup holds all objects of ours, and opens none that others keep in the bucket', async () => {
  const { owner, instance, touched } = await storeWithRights()
  await storeObjects(owner, { [video]: 'a video', 'theirs/report.pdf': 'a report', 'videos.txt': 'a note' })
  const backup = await backUp({ ...(await smallInstallation()), ...instance })
  expect([...touched]).toEqual([video])
  const target = await emptyInstallation('sqlite')
  await restore(backup, target)
  expect(Object.keys(await objectsOf(target))).toEqual([video])
})

test('[R50] the doctor needs no other rights than an instance, and its probe is no video', async () => {
  const { instance, touched } = await storeWithRights()
  const config = read({ ...instance })
  if (!config.objectStore) throw new Error('there is no object store')
  const { facts } = await gatherObjectStore(config, config.objectStore, AbortSignal.timeout(240_000))
  expect(facts.failure).toBeUndefined()
  expect([...touched].map(videoIdOfOriginal)).toEqual([undefined])
  expect(await objectsOf(instance)).toEqual({})
})
