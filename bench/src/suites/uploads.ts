import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { copyFile, open } from 'node:fs/promises'
import { join } from 'node:path'
import { createTemporaryFolder, startObjectStore } from '@atrium/testkit'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { cpuMicrosOf } from '../harness/measure.ts'
import { closeConnections, putFile } from '../load/put-file.ts'
import type { BenchOptions } from '../options.ts'
import { startNginxForUploads } from '../targets/nginx.ts'

const mebibyte = 1_048_576
/** Smaller ones for small runs, so that there are always several; clients use 100 MiB. */
const partBytesOf = (bytes: number): number =>
  Math.min(100 * mebibyte, Math.max(5 * mebibyte, Math.ceil(bytes / 5)))
const partsAtOnce = 4

export interface UploadFigures {
  name: string
  mebibytesPerSecond: number
  /** Of whoever writes the file. */
  cpuMsPerGibibyte: number
}

export interface UploadsResult {
  mebibytes: number
  rounds: number
  figures: UploadFigures[]
}

/** One way in which a file becomes durable elsewhere. */
interface Way {
  name: string
  store(source: string, bytes: number): Promise<void>
  cpuMicros(): number
  /** Makes room for the next round. */
  clear(): Promise<void> | void
  stop(): Promise<void> | void
}

/** The same file is copied, sent to nginx, and sent to our store at once and in parts; each in turn, each durable. */
export async function benchUploads({ mebibytes, rounds }: BenchOptions): Promise<UploadsResult> {
  const folder = createTemporaryFolder('uploads')
  const bytes = Math.round(mebibytes * mebibyte)
  const source = join(folder.path, 'source')
  writeSource(source, bytes)
  const ways: Way[] = [fileCopy(folder.path), ...(await nginxWay()), ...(await storeWays())]
  const totals = ways.map(() => ({ ms: 0, cpuMicros: 0 }))
  try {
    for (let round = 0; round <= rounds; round++)
      for (const [index, way] of ways.entries()) {
        const cpuBefore = way.cpuMicros()
        const startedAt = performance.now()
        await way.store(source, bytes)
        const ms = performance.now() - startedAt
        const cpuMicros = way.cpuMicros() - cpuBefore
        await way.clear()
        const total = totals[index]
        if (round === 0 || !total) continue // The first round is the warm-up.
        total.ms += ms
        total.cpuMicros += cpuMicros
      }
  } finally {
    closeConnections()
    for (const way of ways) await way.stop()
    folder.remove()
  }
  const figures = ways.map(({ name }, index) => {
    const { ms = Number.NaN, cpuMicros = Number.NaN } = totals[index] ?? {}
    return {
      name,
      mebibytesPerSecond: (mebibytes * rounds * 1000) / ms,
      cpuMsPerGibibyte: cpuMicros / 1000 / ((mebibytes * rounds) / 1024),
    }
  })
  return { mebibytes, rounds, figures }
}

/** Random, so that no file system can save anything. */
function writeSource(path: string, bytes: number): void {
  const file = openSync(path, 'w')
  for (let left = bytes; left > 0; left -= mebibyte) writeSync(file, randomBytes(Math.min(left, mebibyte)))
  fsyncSync(file)
  closeSync(file)
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync()
  await file.close()
}

function fileCopy(folder: string): Way {
  const target = join(folder, 'copy')
  return {
    name: 'file copy',
    async store(source) {
      await copyFile(source, target)
      await sync(target)
    },
    cpuMicros: () => cpuMicrosOf(process.pid),
    clear: () => rmSync(target),
    stop: () => undefined,
  }
}

/** nginx does not wait for the disk; we do it for it, so that all of them promise the same. */
async function nginxWay(): Promise<Way[]> {
  const nginx = await startNginxForUploads()
  if (!nginx) return []
  const target = join(nginx.folder, 'upload')
  return [
    {
      name: nginx.name,
      async store(source, bytes) {
        await putFile(`${nginx.address}/upload`, source, 0, bytes - 1)
        await sync(target)
      },
      cpuMicros: nginx.cpuMicros,
      clear: () => rmSync(target),
      stop: nginx.stop,
    },
  ]
}

async function storeWays(): Promise<Way[]> {
  const program = await startObjectStore()
  const { VIDEO_BUCKET: Bucket, S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = program.s3Env
  const client = new S3Client({
    endpoint: program.http,
    region: 'us-east-1',
    credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  const object = { Bucket, Key: 'videos/bench/original/film.mp4' }
  const shared = {
    cpuMicros: () => cpuMicrosOf(program.pid),
    clear: async () => void (await client.send(new DeleteObjectCommand(object))),
  }
  return [
    {
      ...shared,
      name: 'Atrium, one PUT',
      async store(source, bytes) {
        const url = await getSignedUrl(client, new PutObjectCommand({ ...object, ContentLength: bytes }))
        await putFile(url, source, 0, bytes - 1)
      },
      stop: () => undefined,
    },
    {
      ...shared,
      name: 'Atrium, parts',
      store: (source, bytes) => storeInParts(client, object, source, bytes),
      async stop() {
        client.destroy()
        await program.stop()
      },
    },
  ]
}

async function storeInParts(
  client: S3Client,
  object: { Bucket: string | undefined; Key: string },
  source: string,
  bytes: number,
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object))
  const partBytes = partBytesOf(bytes)
  const waiting = Array.from({ length: Math.ceil(bytes / partBytes) }, (_, index) => index + 1)
  const Parts: { PartNumber: number; ETag: string }[] = []
  const sendWaiting = async (): Promise<void> => {
    for (let PartNumber = waiting.shift(); PartNumber !== undefined; PartNumber = waiting.shift()) {
      const first = (PartNumber - 1) * partBytes
      const last = Math.min(first + partBytes, bytes) - 1
      const part = { ...object, UploadId, PartNumber, ContentLength: last - first + 1 }
      const url = await getSignedUrl(client, new UploadPartCommand(part))
      Parts.push({ PartNumber, ETag: await putFile(url, source, first, last) })
    }
  }
  await Promise.all(Array.from({ length: partsAtOnce }, sendWaiting))
  Parts.sort((a, b) => a.PartNumber - b.PartNumber)
  await client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }))
}
