import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDataClient } from '@atrium/client/node'
import { createTemporaryFolder } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { downloadTo } from './download.ts'

/** A platform that sends these texts, one for each request. */
function stage(format: 'csv' | 'parquet', answers: { text: string; headers?: Record<string, string> }[]) {
  const folder = createTemporaryFolder('download')
  onTestFinished(folder.remove)
  const asked: URLSearchParams[] = []
  const output = join(folder.path, 'file')
  const client = createDataClient({
    baseUrl: 'http://platform',
    key: 'atk_x',
    async fetch(address) {
      asked.push(new URL(String(address)).searchParams)
      const answer = answers.shift()
      if (!answer) return new Response('{"code":"FORBIDDEN","error":"Not now."}', { status: 403 })
      return new Response(answer.text, { headers: answer.headers ?? {} })
    },
  })
  const query = { format, table: 'events' } as const
  return {
    asked,
    part: `${output}.part`,
    note: `${output}.part.json`,
    begun: { experimentId: 'exp_1', query },
    download: () => downloadTo({ client, experimentId: 'exp_1', query, output, onProgress() {} }),
    content: () => readFileSync(output, 'utf8'),
  }
}

const idOf = (id: string) => ({ 'x-export-id': id })

test.each(['', '{"experimentId', 'null', '7', '{"experimentId":"exp_2"}'])(
  '[D20] a note that says nothing about this download (%s) is as good as none',
  async (note) => {
    const {
      part,
      note: path,
      asked,
      download,
      content,
    } = stage('parquet', [{ text: 'whole', headers: idOf('new') }])
    writeFileSync(part, 'ha')
    writeFileSync(path, note)
    expect(await download()).toEqual({ bytes: 5, continuedAt: 0 })
    expect(content()).toBe('whole')
    expect(asked.map((search) => search.has('resume'))).toEqual([false])
    expect([existsSync(part), existsSync(path)]).toEqual([false, false])
  },
)

test('[D20] a download that ended before its first byte begins anew, and notes how to continue', async () => {
  const { part, note, begun, download } = stage('parquet', [])
  writeFileSync(part, '')
  writeFileSync(note, JSON.stringify({ ...begun, exportId: 'old' }))
  await expect(download()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const again = stage('parquet', [{ text: 'whole', headers: idOf('new') }])
  writeFileSync(again.part, '')
  writeFileSync(again.note, JSON.stringify({ ...again.begun, exportId: 'old' }))
  await again.download()
  expect(again.asked.map((search) => search.has('resume'))).toEqual([false])
  expect(again.content()).toBe('whole')
})

test('[D17] of pages that did not reach the disk, none is taken for granted', async () => {
  const { part, note, begun, asked, download, content } = stage('csv', [{ text: 'a,b\n' }])
  writeFileSync(part, 'a')
  writeFileSync(note, JSON.stringify({ ...begun, cursor: 'later', bytes: 10 }))
  await download()
  expect(asked.map((search) => search.get('cursor'))).toEqual(['start'])
  expect(content()).toBe('a,b\n')
})

test('[D20] what something other than the platform has sent is not taken for the file', async () => {
  const { asked, download, content } = stage('parquet', [
    { text: '<html>Sign in</html>' },
    { text: 'whole', headers: idOf('new') },
  ])
  await download()
  expect(content()).toBe('whole')
  expect(asked).toHaveLength(2)
})
