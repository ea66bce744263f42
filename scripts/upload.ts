// Uploads videos, pictures and sounds: `npm run upload -- video.mp4 faces.zip --server http://…`. Run again after an
// interruption, it continues.
import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import {
  ApiRefused,
  NoAnswer,
  UploadAborted,
  UploadFailed,
  type UploadOptions,
  type UploadProgress,
  uploadFile,
} from '@atrium/client/node'
import { developmentIdentityRoutes } from '../packages/contract/src/index.ts'
import { platformAddress } from './platform-address.ts'
import { Misuse } from './study-arguments.ts'
import { isMediaPath, uploadMediaPaths } from './upload-media.ts'

const usage = `npm run upload -- <files> [--server http://…] [--token <ID token>] [--user console:ada]
Videos; and pictures, sounds or ZIPs of them, which are taken together or not at all.
Without --token or ATRIUM_TOKEN, the development issuer signs in --user, who is the console’s Ada by default.`

/** A stopped program ends with 128 + the number of the signal. */
const exitCodes = { failed: 1, misused: 2, interrupted: 130 } as const

function readArguments() {
  const { values, positionals } = parseCommandLine()
  if (positionals.length === 0) throw new Misuse(usage)
  for (const path of positionals)
    if (!existsSync(path) || !statSync(path).isFile()) throw new Misuse(`There is no file ${path}.`)
  return {
    paths: positionals,
    baseUrl: platformAddress(values.server, process.env),
    token: values.token ?? process.env.ATRIUM_TOKEN,
    user: values.user,
  }
}

function parseCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        server: { type: 'string' },
        token: { type: 'string' },
        user: { type: 'string', default: 'console:ada' },
      },
    })
  } catch (error) {
    throw new Misuse(`${(error as Error).message}\n${usage}`)
  }
}

type Arguments = ReturnType<typeof readArguments>

/** The given token, or one of the development issuer, which is asked again when the last one has expired. */
function tokensOf({ baseUrl, token, user }: Arguments): (wish: { isRefresh: boolean }) => Promise<string> {
  let known: string | undefined
  return async ({ isRefresh }) => {
    if (token !== undefined) return token
    if (known !== undefined && !isRefresh) return known
    const { method, path } = developmentIdentityRoutes.token
    const response = await fetch(baseUrl + path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sub: user, roles: ['researcher'] }),
    }).catch((error: unknown) => {
      throw new NoAnswer('the development issuer', { cause: error })
    })
    if (response.status === 404)
      throw new Misuse(
        'This platform signs people in through an identity provider. Give an ID token: --token …',
      )
    const { idToken } = (await response.json()) as { idToken: string }
    known = idToken
    return idToken
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

/** Overwrites a single line; prints nothing to a file, where each update would be a new line. */
function showProgress({ kind, sentBytes, totalBytes, because }: UploadProgress): void {
  if (!process.stderr.isTTY) return
  const percent = Math.floor((100 * sentBytes) / totalBytes)
  const amount = `${percent} % of ${megabytes(totalBytes)}`
  const note = {
    uploading: '',
    paused: '',
    finishing: ' – finishing …',
    done: '',
    retrying: ` – ${because} Trying again …`,
  }
  process.stderr.write(
    `\r${`${amount}${note[kind]}`.padEnd(process.stderr.columns - 1).slice(0, process.stderr.columns - 1)}`,
  )
}

function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\n')
}

/** The file itself cannot be uploaded, now or later. */
class FileRefused extends Error {}

async function run(given: Arguments): Promise<void> {
  const { baseUrl, paths } = given
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const getIdToken = tokensOf(given)
  await getIdToken({ isRefresh: false }) // Nobody should wait for the upload to learn that they cannot sign in.
  const access = { baseUrl, getIdToken, signal: stop.signal }
  const media = paths.filter(isMediaPath)
  const uploading = uploadMediaPaths(media, { ...access, onProgress: showProgress })
  for (const line of await uploading.finally(endProgress)) console.log(line)
  for (const path of paths) if (!media.includes(path)) await sendVideo(path, access)
}

async function sendVideo(path: string, access: Omit<UploadOptions, 'onProgress'>): Promise<void> {
  let isUnderWay = false
  const upload = await uploadFile(path, {
    ...access,
    onProgress(progress) {
      isUnderWay = true
      showProgress(progress)
    },
  })
  const { videoId } = await upload.done.finally(endProgress).catch((error: unknown) => {
    if (error instanceof UploadFailed && !isUnderWay) throw new FileRefused(error.message)
    throw error
  })
  console.log(`${basename(path)} is uploaded and will now be prepared for playback. Its id: ${videoId}`)
}

/** What happened, in one sentence, and what to do; undefined for an error of our own. */
function explain(error: unknown, baseUrl: string): string | undefined {
  if (error instanceof NoAnswer)
    return `There is no response from ${baseUrl}. Start the platform (npm start), or give its address: --server http://…`
  if (error instanceof FileRefused) return error.message
  if (error instanceof ApiRefused) return `The platform refused the upload: ${error.message} (${error.code})`
  if (error instanceof UploadFailed) return `${error.message} Run the same command again to continue.`
  return undefined
}

try {
  if (process.argv.includes('--help')) console.log(usage)
  else {
    const given = readArguments()
    await run(given).catch((error: unknown) => {
      const explanation = explain(error, given.baseUrl)
      if (explanation === undefined) throw error
      console.error(explanation)
      process.exitCode = exitCodes.failed
    })
  }
} catch (error) {
  if (error instanceof UploadAborted) {
    console.error('Stopped. Run the same command again to continue.')
    process.exitCode = exitCodes.interrupted
  } else if (error instanceof Misuse) {
    console.error(error.message)
    process.exitCode = exitCodes.misused
  } else throw error
}
