/** Where a figure comes from: our own measurement, somebody else's statement, or arithmetic on such statements. */
export type Basis = 'measured' | 'cited' | 'calculated'

export interface Figure {
  value: number
  basis: Basis
}

export const cited = (value: number): Figure => ({ value, basis: 'cited' })
export const calculated = (value: number): Figure => ({ value, basis: 'calculated' })

/** One file of a repository on Hugging Face, at a commit, so that it cannot change under the checksum. */
interface PublishedFile {
  repository: string
  revision: string
  file: string
  sha256: string
}

export interface Preset {
  name: string
  family: 'qwen3' | 'qwen3.5' | 'qwen3.6'
  parameters: string
  quantisation: string
  source: PublishedFile
  weightsBytes: Figure
  layers: Figure
  /** 16-bit keys and values of one token, in the layers that keep them. */
  kvBytesPerToken: Figure
  /** What the layers without keys and values keep for each request, whatever its length. */
  stateBytesPerRequest: Figure
  /** The same as `kvBytesPerToken` with multi-token prediction, which adds a layer; absent where the file has no such heads. */
  kvBytesPerTokenMtp?: Figure
  nativeContext: Figure
  /** How well it calls the tool `respond`, as far as it was measured. */
  toolCalling: string
  /** Presets that are never chosen by themselves are for trying things out. */
  isChosen: boolean
  /** Also chosen without a GPU. Whether a processor answers in time is for `verify` to find out. */
  isForCpu: boolean
}

export const urlOf = ({ repository, revision, file }: PublishedFile): string =>
  `https://huggingface.co/${repository}/resolve/${revision}/${file}`
