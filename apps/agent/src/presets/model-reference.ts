import { Misuse } from '../misuse.ts'
import type { Preset } from './preset.ts'
import { findPreset, presets } from './presets.ts'

/** What `--model` can name. */
type ModelReference =
  | { kind: 'preset'; preset: Preset }
  | { kind: 'file'; path: string }
  | { kind: 'url'; url: string }
  | { kind: 'upstream'; baseUrl: string }
  /** A file of this name may be there all the same. */
  | { kind: 'unknown'; text: string }

const maxLength = 2_048

export function parseModelReference(text: string): ModelReference {
  if (text.length > maxLength) throw new Misuse('--model is too long: give a preset, a path or an address.')
  const preset = findPreset(text.toLowerCase())
  if (preset) return { kind: 'preset', preset }
  if (text.startsWith('hf:')) return { kind: 'url', url: huggingFaceUrl(text) }
  if (/^https?:\/\//i.test(text)) return addressIn(text)
  if (/[\\/]/.test(text) || text.toLowerCase().endsWith('.gguf')) return { kind: 'file', path: text }
  return { kind: 'unknown', text }
}

export const noSuchPreset = (text: string): Misuse =>
  new Misuse(
    `There is no preset ${text}. Presets: ${presets.map(({ name }) => name).join(', ')}. A file, an address (https://…/model.gguf), hf:owner/repository/file.gguf or a server (https://…/v1) will do too.`,
  )

/** hf:owner/repository/file.gguf, also with folders before the file, and with @revision after the repository. */
function huggingFaceUrl(text: string): string {
  const found = /^hf:([\w.-]+)\/([\w.-]+)(?:@([\w.-]+))?\/((?:[\w.-]+\/)*[\w.-]+\.gguf)$/.exec(text)
  const [, owner, repository, revision = 'main', file] = found ?? []
  if (found === null || text.includes('..'))
    throw new Misuse(
      `${text} is not a model on Hugging Face. It must look like hf:owner/repository/file.gguf.`,
    )
  return `https://huggingface.co/${owner}/${repository}/resolve/${revision}/${file}`
}

function addressIn(text: string): ModelReference {
  const url = urlIn(text)
  if (url === null) throw new Misuse(`${text} is not an address.`)
  if (/\/v1\/?$/.test(url.pathname)) return { kind: 'upstream', baseUrl: upstreamUrl(text) }
  if (!url.pathname.toLowerCase().endsWith('.gguf'))
    throw new Misuse(`${text} is neither a model (…/model.gguf) nor a server (…/v1). Complete the address.`)
  return { kind: 'url', url: url.href }
}

/** The base URL of an OpenAI-compatible server, without a slash at its end. */
export function upstreamUrl(text: string): string {
  const url = urlIn(text)
  if (url === null || !/^https?:$/.test(url.protocol) || !/\/v1\/?$/.test(url.pathname))
    throw new Misuse(`${text} is not the base URL of a model server: it must begin with http and end in /v1.`)
  if (url.username !== '' || url.password !== '')
    throw new Misuse('Give the key of the upstream server in ATRIUM_UPSTREAM_KEY, not in its address.')
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`
}

const urlIn = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)
