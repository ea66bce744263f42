import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { objectKeys } from '@atrium/contract'
import { parse, setOptions, types } from 'hls-parser'
import type { MemoryObjects } from './memory-objects.ts'

setOptions({ strictMode: true })

/** One level as ffprobe and a strict parser see it. */
export interface SeenLevel {
  uri: string
  size: string
  codecs: string
  frameRate: number
  bandwidth: number
  averageBandwidth: number
  /** Of each segment. */
  seconds: number[]
  /** Of the segments with everything in them. */
  bitsPerSecond: number[]
  /** Of the pictures alone, over the whole video. */
  videoBitsPerSecond: number
  /** When the key frames of each segment are shown, after the first one of the video. */
  keyFramesAt: number[][]
  frames: number
  /** When the frames of sound are heard, after the first picture of the video. */
  soundAt: number[]
  video: { codec_name: string; profile: string; pix_fmt: string; size: string; aspect: string; rate: string }
  audio: { codec_name: string; profile: string; sample_rate: string; channels: number; bit_rate: string }
}

interface Packet {
  pts_time: string
  size: string
  flags: string
}

/** Reads what a job has stored, as a player would. */
export async function readOutput(
  objects: MemoryObjects,
  videoId: string,
  folder: string,
): Promise<SeenLevel[]> {
  const textOf = (name: string) =>
    objects.contents.get(objectKeys.hlsPrefix(videoId) + name)?.bytes.toString() ?? ''
  const master = parse(textOf('master.m3u8'))
  if (!(master instanceof types.MasterPlaylist)) throw new Error('no master playlist')
  if (!master.independentSegments) throw new Error('segments are not declared independent')
  return await Promise.all(
    master.variants.map(async (variant): Promise<SeenLevel> => {
      const list = parse(textOf(variant.uri))
      if (!(list instanceof types.MediaPlaylist)) throw new Error('no media playlist')
      if (!list.endlist || list.playlistType !== 'VOD') throw new Error('the playlist is not complete')
      const segments = await Promise.all(
        list.segments.map(({ uri, duration }) => readSegment(objects, videoId, folder, uri, duration)),
      )
      const [first] = segments
      if (!first) throw new Error('no segments')
      const firstAt = Math.min(...first.packets.map(({ pts_time }) => Number(pts_time)))
      const total = segments.reduce((sum, { duration }) => sum + duration, 0)
      const packets = segments.flatMap((segment) => segment.packets)
      return {
        uri: variant.uri,
        size: `${variant.resolution?.width}x${variant.resolution?.height}`,
        codecs: variant.codecs ?? '',
        frameRate: variant.frameRate ?? 0,
        bandwidth: variant.bandwidth,
        averageBandwidth: variant.averageBandwidth ?? 0,
        seconds: segments.map(({ duration }) => duration),
        bitsPerSecond: segments.map(({ bytes, duration }) => (bytes * 8) / duration),
        videoBitsPerSecond: (packets.reduce((sum, { size }) => sum + Number(size), 0) * 8) / total,
        keyFramesAt: segments.map((segment) =>
          segment.packets
            .filter(({ flags }) => flags.startsWith('K'))
            .map(({ pts_time }) => Number((Number(pts_time) - firstAt).toFixed(3))),
        ),
        frames: packets.length,
        soundAt: segments.flatMap(({ sounds }) => sounds.map(({ pts_time }) => Number(pts_time) - firstAt)),
        video: first.video,
        audio: first.audio,
      }
    }),
  )
}

async function readSegment(
  objects: MemoryObjects,
  videoId: string,
  folder: string,
  name: string,
  duration: number,
) {
  if (name.includes('/')) throw new Error(`${name} is in a subdirectory`)
  const stored = objects.contents.get(objectKeys.hlsPrefix(videoId) + name)
  if (!stored) throw new Error(`${name} is not stored`)
  const path = join(folder, `${videoId}-${name}`)
  await writeFile(path, stored.bytes)
  const args = ['-v', 'error', '-of', 'json', '-show_streams', '-show_packets']
  const { stdout } = await promisify(execFile)('ffprobe', [...args, path], { maxBuffer: 2 ** 26 })
  const { streams, packets } = JSON.parse(stdout)
  const [video, audio] = ['video', 'audio'].map((type) =>
    streams.find((stream: { codec_type: string }) => stream.codec_type === type),
  )
  const { codec_name, profile, pix_fmt, width, height, sample_aspect_ratio, r_frame_rate } = video
  const packetsOf = (type: string): Packet[] =>
    packets.filter((packet: { codec_type: string }) => packet.codec_type === type)
  return {
    duration,
    bytes: stored.bytes.length,
    packets: packetsOf('video'),
    sounds: packetsOf('audio'),
    video: {
      codec_name,
      profile,
      pix_fmt,
      size: `${width}x${height}`,
      aspect: sample_aspect_ratio,
      rate: r_frame_rate,
    },
    audio: {
      codec_name: audio.codec_name,
      profile: audio.profile,
      sample_rate: audio.sample_rate,
      channels: audio.channels,
      bit_rate: audio.bit_rate,
    },
  }
}
