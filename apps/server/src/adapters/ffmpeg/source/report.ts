import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

const Text = Type.Optional(Type.String())
const Whole = Type.Optional(Type.Integer())

const Stream = Type.Object({
  index: Type.Integer({ minimum: 0 }),
  codec_type: Text,
  codec_name: Text,
  width: Whole,
  height: Whole,
  sample_aspect_ratio: Text,
  avg_frame_rate: Text,
  r_frame_rate: Text,
  field_order: Text,
  start_time: Text,
  duration: Text,
  channels: Whole,
  sample_rate: Text,
  disposition: Type.Optional(Type.Record(Type.String(), Type.Number())),
  tags: Type.Optional(Type.Object({ rotate: Text, DURATION: Text })),
  side_data_list: Type.Optional(Type.Array(Type.Object({ rotation: Type.Optional(Type.Number()) }))),
})
export type Stream = Type.Static<typeof Stream>

const Report = Compile(
  Type.Object({
    format: Type.Object({ format_name: Type.String(), start_time: Text, duration: Text }),
    streams: Type.Array(Stream),
  }),
)
export type Report = Type.Static<ReturnType<typeof Report.Type>>

/** Only what we use: tags, which the uploader writes, may be of any size. */
export const reportArguments = [
  ...['-v', 'error', '-print_format', 'json', '-show_entries'],
  [
    'format=format_name,start_time,duration',
    'stream=index,codec_type,codec_name,width,height,sample_aspect_ratio,avg_frame_rate,r_frame_rate,field_order,start_time,duration,channels,sample_rate',
    'stream_disposition=default,attached_pic,timed_thumbnails,still_image',
    'stream_tags=rotate,DURATION',
    'side_data=rotation',
  ].join(':'),
]

/** What ffprobe has written; undefined if it is not of that form. */
export function parseReport(output: string): Report | undefined {
  try {
    const report: unknown = JSON.parse(output)
    return Report.Check(report) ? report : undefined
  } catch {
    return undefined // Cut off, because it was too long.
  }
}
