// Makes the video of the example `film-ratings`: a circle that beats faster and faster, and is heard to. It is committed, so
// that a study with a video works without ffmpeg and without the internet: `node scripts/make-example-video.ts`.
import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const video = fileURLToPath(new URL('../apps/web/public/examples/film.mp4', import.meta.url))
const seconds = 20
const maxBytes = 300_000

/** From one beat in two seconds to almost three a second. `t` is the time, which video and sound name differently. */
const beatAt = (t: string) => `pow(max(sin(2*PI*(0.5*${t}+0.06*${t}*${t})),0),4)`
const inside = `clip((38+26*${beatAt('T')}+T/2-hypot(X-W/2,Y-H/2))/3,0,1)`
/** A colour channel of the circle, from calm blue to alarming red, on a dark ground. */
const channel = (ground: number, from: number, to: number) =>
  `${ground}+(${from}+(${to - from})*T/${seconds}-${ground})*${inside}`

// Drawn small and enlarged, because every pixel is computed by an expression.
const picture = [
  `color=black:size=256x144:rate=25:duration=${seconds}`,
  'format=gbrp',
  `geq=r='${channel(18, 90, 228)}':g='${channel(22, 150, 58)}':b='${channel(34, 220, 48)}'`,
  'scale=640:360:flags=bicubic',
  'format=yuv420p',
].join(',')
const sound = `aevalsrc='0.7*${beatAt('t')}*sin(2*PI*62*t)+0.1*(t/${seconds})*sin(2*PI*(160*t+5*t*t))':sample_rate=48000:duration=${seconds}`

mkdirSync(dirname(video), { recursive: true })
execFileSync(
  'ffmpeg',
  [
    ...['-nostdin', '-loglevel', 'error', '-y', '-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound],
    ...['-c:v', 'libx264', '-profile:v', 'main', '-preset', 'slower', '-crf', '27', '-g', '50'],
    ...['-c:a', 'aac', '-b:a', '40k', '-movflags', '+faststart', '-shortest', '-map_metadata', '-1'],
    ...['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact', video],
  ],
  { stdio: 'inherit' },
)
const { size } = statSync(video)
if (size > maxBytes) throw new Error(`The video has ${size} bytes, more than ${maxBytes}.`)
console.log(`${video}: ${size} bytes`)
