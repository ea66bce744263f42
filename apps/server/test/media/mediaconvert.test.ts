import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MediaReports } from '@atrium/functions'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openVideo } from '../../src/compose/video.ts'
import { readConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/kernel/clock.ts'

test('[V6] with MediaConvert, the server stops jobs but submits none: the bucket’s events do', async () => {
  const requests: string[] = []
  const service = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.writeHead(202, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  onTestFinished(() => {
    service.close()
    service.closeAllConnections()
  })
  const config = readConfig(
    {
      S3_ENDPOINT: 'https://s3.example.org',
      S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      S3_SECRET_ACCESS_KEY: 'secret',
      INTERNAL_API_KEY: 'the key of the functions',
      TRANSCODER_ROLE: 'arn:aws:iam::111122223333:role/atrium-mediaconvert',
      TRANSCODER_ENDPOINT: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    },
    'here',
  )
  const video = await openVideo(config, {
    secrets: ['secret'],
    reports: {} as MediaReports, // The functions report over HTTP.
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    onBackgroundError: (error) => expect.fail(String(error)),
  })
  expect(video.submitOriginal).toBeUndefined()
  await video.cancelJob('1794813000000-opn151')
  expect(requests).toEqual(['DELETE /2017-08-29/jobs/1794813000000-opn151'])
  await video.close()
})
