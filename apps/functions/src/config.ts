import { address, describeKeys, type Key, readKeys, secretsIn, text } from '@atrium/program/keys'

const group = 'Functions'

/** Every configuration key of the two functions. The reference page is generated from this table. */
const keys = {
  BACKEND_URL: {
    group,
    accepts: URL.canParse,
    schema: address('https?', 'Address of the server, as the functions reach it; required'),
  },
  INTERNAL_API_KEY: {
    group,
    secret: true,
    schema: text('The server’s INTERNAL_API_KEY; of several, the first is sent; required'),
  },
  VIDEO_BUCKET: { group, schema: text('Bucket of the videos; required by the submit function') },
  TRANSCODER_ROLE: {
    group,
    schema: text(
      'ARN of the role with which MediaConvert reads and writes the bucket; required by the submit function',
    ),
  },
  TRANSCODER_ENDPOINT: {
    group,
    accepts: URL.canParse,
    schema: address('https?', 'Address of MediaConvert; unset = that of the region (AWS_REGION)'),
  },
} as const satisfies Record<string, Key>

export const functionKeys = describeKeys(keys)

export function readCallbackConfig(env: NodeJS.ProcessEnv) {
  const values = readKeys(keys, env)
  return {
    backend: {
      url: required('BACKEND_URL', values.BACKEND_URL),
      key: required('INTERNAL_API_KEY', secretsIn(values.INTERNAL_API_KEY)?.[0]),
    },
  }
}

export function readSubmitConfig(env: NodeJS.ProcessEnv) {
  const values = readKeys(keys, env)
  return {
    ...readCallbackConfig(env),
    bucket: required('VIDEO_BUCKET', values.VIDEO_BUCKET),
    role: required('TRANSCODER_ROLE', values.TRANSCODER_ROLE),
    endpoint: values.TRANSCODER_ENDPOINT,
  }
}

function required(name: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`${name} is required.`)
  return value
}
