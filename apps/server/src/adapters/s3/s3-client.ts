import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { S3Client } from '@aws-sdk/client-s3'

/** Where the objects are, and who we are there. */
export interface S3Config {
  /** As this server and its clients reach the store; undefined for AWS itself. */
  endpoint?: string | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  forcePathStyle: boolean
  /** Objects above this size are copied in parts; 5 GiB, as in S3, if absent. */
  maxCopyBytes?: number
  /** Connections to the store for reading, and as many for everything else; 1,024 if absent. */
  maxSockets?: number
}

/** Each participant who plays a video may hold one for as long as a segment takes on a slow line. */
const defaultMaxSockets = 1_024
const connectionTimeoutMs = 5_000
const ignore = () => undefined
/** Errors reach whoever called. Without a logger, the SDK also writes to the console, in the middle of our own output. */
const silent = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore }
/** Silence of the store. Copies within it answer late. */
const socketTimeoutMs = 300_000

export function createS3Client(config: S3Config): S3Client {
  const { endpoint, maxSockets = defaultMaxSockets } = config
  return new S3Client({
    region: config.region,
    logger: silent,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    forcePathStyle: config.forcePathStyle,
    // Otherwise the checksum of an empty body becomes a part of presigned addresses, and every upload fails.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint !== undefined && { endpoint }),
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      socketTimeout: socketTimeoutMs,
      httpAgent: new Agent({ keepAlive: true, maxSockets }),
      httpsAgent: new SecureAgent({ keepAlive: true, maxSockets }),
    },
  })
}
