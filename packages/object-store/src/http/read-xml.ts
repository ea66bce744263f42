import { XMLParser } from 'fast-xml-parser'
import { createTextSink } from '../body/file-sink.ts'
import { declaredBytes, receiveBody, type Upload } from '../body/receive-body.ts'
import { S3Error } from './s3-error.ts'

/** The list of 10,000 parts, with checksums, has about 1.7 MB. */
const maxXmlBytes = 2_097_152

/** An element: its text, or what is in it by name. */
export type XmlNode = string | { [name: string]: XmlNode | XmlNode[] | undefined }

/** Reads a body of XML and returns what is in its outermost element, which must be called `root`. */
export async function readXml(upload: Upload, root: string, lists: readonly string[]): Promise<XmlNode> {
  const sink = createTextSink()
  await receiveBody(upload, declaredBytes(upload, maxXmlBytes), sink)
  const text = sink.text()
  // Nobody who speaks S3 declares entities; those who do want us to expand them forever.
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new S3Error('MalformedXML')
  const parser = new XMLParser({
    ignoreAttributes: true,
    ignoreDeclaration: true,
    parseTagValue: false,
    isArray: (name) => lists.includes(name),
  })
  try {
    const document = parser.parse(text, true) as Record<string, XmlNode>
    const node = Object.hasOwn(document, root) ? document[root] : undefined
    if (node !== undefined) return node
  } catch {
    // Not well-formed, or nested more deeply than the parser can follow.
  }
  throw new S3Error('MalformedXML')
}

export const childrenOf = (node: XmlNode, name: string): XmlNode[] => {
  const child = typeof node === 'object' && Object.hasOwn(node, name) ? node[name] : undefined
  return child === undefined ? [] : Array.isArray(child) ? child : [child]
}

export const textOf = (node: XmlNode, name: string): string | undefined => {
  const [child] = childrenOf(node, name)
  return typeof child === 'string' ? child : undefined
}
