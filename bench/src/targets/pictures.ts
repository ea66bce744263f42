import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mediaRoutes } from '@atrium/contract'
import { createTemporaryFolder, findProgram } from '@atrium/testkit'

type Pictures = ReadonlyMap<string, Buffer>

const perRequest = 50

/** As large as those of an ordinary set of stimuli: JPEG, 800 × 600. */
export async function samplePictures(count: number): Promise<Pictures> {
  const folder = createTemporaryFolder('pictures')
  try {
    const film = ['-f', 'lavfi', '-i', `testsrc2=size=800x600:rate=25,noise=alls=12:allf=t`]
    const files = ['-frames:v', String(count), '-q:v', '4', join(folder.path, 'picture-%03d.jpg')]
    await promisify(execFile)(findProgram('ffmpeg'), ['-loglevel', 'error', ...film, ...files])
    return new Map(
      readdirSync(folder.path)
        .toSorted()
        .map((name) => [name, readFileSync(join(folder.path, name))] as const),
    )
  } finally {
    folder.remove()
  }
}

/** How many bytes they have. */
export async function uploadPictures(http: string, token: string, pictures: Pictures): Promise<number> {
  const all = [...pictures]
  for (let from = 0; from < all.length; from += perRequest) {
    const form = new FormData()
    for (const [name, bytes] of all.slice(from, from + perRequest))
      form.append('file', new Blob([new Uint8Array(bytes)]), name)
    const headers = { authorization: `Bearer ${token}` }
    const { ok, status } = await fetch(http + mediaRoutes.upload.path, {
      method: 'POST',
      headers,
      body: form,
    })
    if (!ok) throw new Error(`the pictures were refused: ${status}`)
  }
  return all.reduce((sum, [, bytes]) => sum + bytes.length, 0)
}

/** A page that has decoded all of them, and shows the next one with each key. */
export function barePictures(pictures: Pictures): string {
  const urls = [...pictures.values()].map((bytes) => `data:image/jpeg;base64,${bytes.toString('base64')}`)
  return `<body><script>
    const loaded = ${JSON.stringify(urls)}.map((url) => Object.assign(new Image(), { src: url, className: 'reaction-stimulus' }))
    let at = 0
    const show = () => { if (at < loaded.length) document.body.replaceChildren(loaded[at++]) }
    window.begin = async () => { await Promise.all(loaded.map((one) => one.decode())); show() }
    addEventListener('keydown', () => requestAnimationFrame(show))
  </script></body>`
}
