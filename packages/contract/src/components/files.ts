import { Type } from 'typebox'
import { compiledOnce } from '../compiled-once.ts'
import { limits } from '../limits.ts'
import { fileIdPattern } from '../media/object-keys.ts'
import { Name } from '../text.ts'
import { defaultTo, inUnit, titled } from './annotations.ts'
import { declareType } from './component-type.ts'
import { question, Whole } from './settings.ts'

const largestFileBytes = limits.answerFileBytes

const StoredFile = {
  fileId: Type.String({ title: 'File', pattern: fileIdPattern, description: 'As returned by the upload' }),
  name: titled('Name', Name(255, 'Name of the file on the participant’s device')),
  type: Type.String({
    title: 'Type',
    pattern: '^[A-Za-z0-9][A-Za-z0-9!#$&^_.+/-]{0,126}$',
    description: 'Media type, as the browser names it',
  }),
}

const Size = (maximum: number) =>
  inUnit('bytes', Type.Integer({ title: 'Size', minimum: 1, maximum, description: 'Bytes' }))

/** What every answer with a file names, whichever component asked for it. */
const AnyStoredFile = Type.Object({ fileId: StoredFile.fileId, size: Size(largestFileBytes) })
export const namesStoredFile = compiledOnce(AnyStoredFile)

const drawnFile = { fileId: `file_${'0'.repeat(22)}` }

export const fileUpload = declareType({
  type: 'file_upload',
  title: 'File upload',
  description:
    'A file from the participant’s device, such as a photo or a document. It is kept in the object store, apart from the answers, which name it; researchers download it, and it is deleted with the participant.',
  place: 'state',
  settings: Type.Object({
    ...question,
    accept: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^[a-z0-9][a-z0-9!#$&^_.+-]{0,60}/([a-z0-9][a-z0-9!#$&^_.+-]{0,60}|[*])$',
          description: 'A media type, such as application/pdf, or image/* for all pictures',
        }),
        {
          title: 'Accepted types',
          minItems: 1,
          maxItems: 20,
          description: 'Media types that are accepted, as browsers name them; any when absent',
        },
      ),
    ),
    maxBytes: defaultTo(
      10_485_760,
      inUnit(
        'bytes',
        Whole('Largest file', 1, largestFileBytes, 'Size of the largest file; 10,485,760 when absent'),
      ),
    ),
  }),
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  takesFile: true,
  agentsCannot: 'they have no files',
  records: 'The id, name, type and size of the stored file.',
  example: {
    settings: { label: 'A photo of your desk', accept: ['image/*'] },
    response: { fileId: 'file_3kX9cQ0vT7yLr2mWb8ZsNd', name: 'desk.jpg', type: 'image/jpeg', size: 204_800 },
  },
  response: ({ maxBytes }) =>
    Type.Object({ ...StoredFile, size: Size(maxBytes) }, { title: 'File', additionalProperties: false }),
  simulated: {
    usualMs: 5_000,
    answer: ({ maxBytes, accept = ['text/plain'] }) => ({
      ...drawnFile,
      name: 'bot.txt',
      type: (accept[0] ?? '').replace('*', 'plain'),
      size: Math.min(maxBytes, 100),
    }),
  },
})

export const audioAnswer = declareType({
  type: 'audio_answer',
  title: 'Audio answer',
  description:
    'A spoken answer, recorded in the browser and played back before it is sent. It is kept like the files of `file_upload`. The page asks for the microphone when the participant starts to record.',
  place: 'state',
  settings: Type.Object({
    ...question,
    maxMs: defaultTo(
      120_000,
      inUnit('ms', Whole('Longest recording', 1_000, 600_000, 'Longest recording; 120,000 when absent')),
    ),
  }),
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  takesFile: true,
  agentsCannot: 'they have no voice',
  records: 'The id, name, type and size of the stored recording, and its length.',
  example: {
    settings: { label: 'In your own words: how did you decide?', maxMs: 60_000 },
    response: {
      fileId: 'file_9pLw2Xc7RtYh4vNq1ZsMbE',
      name: 'recording.webm',
      type: 'audio/webm',
      size: 96_512,
      durationMs: 12_400,
    },
  },
  response: ({ maxMs }) =>
    Type.Object(
      {
        ...StoredFile,
        size: Size(largestFileBytes),
        // The last piece of a recording ends a little after the clock that stops it.
        durationMs: inUnit(
          'ms',
          Type.Integer({ title: 'Length', minimum: 0, maximum: maxMs + 2_000, description: 'Recorded time' }),
        ),
      },
      { title: 'Recording', additionalProperties: false },
    ),
  simulated: {
    usualMs: 8_000,
    answer: ({ maxMs }) => ({
      ...drawnFile,
      name: 'bot.webm',
      type: 'audio/webm',
      size: 100,
      durationMs: Math.min(maxMs, 3_000),
    }),
  },
})

/** What may be uploaded for a component; undefined if it takes no file. */
export function acceptedFileOf(
  component: Record<string, unknown>,
): { maxBytes: number; accept: readonly string[] } | undefined {
  switch (component.type) {
    case fileUpload.type: {
      const known = fileUpload.read(component)
      return known && { maxBytes: known.maxBytes, accept: known.accept ?? ['*/*'] }
    }
    case audioAnswer.type:
      // Some browsers record sound into a container that they call a video.
      return audioAnswer.read(component) && { maxBytes: largestFileBytes, accept: ['audio/*', 'video/*'] }
    default:
      return undefined
  }
}

export const isAcceptedType = (accept: readonly string[], type: string): boolean =>
  accept.some((each) => {
    const [group, kind] = each.split('/')
    const [ofFile, kindOfFile] = type.toLowerCase().split('/')
    return (group === '*' || group === ofFile) && (kind === '*' || kind === kindOfFile)
  })
