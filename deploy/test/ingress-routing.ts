import type { IngressPath } from './rendered.ts'

/**
 * Where an ingress sends a path, by the rules of Kubernetes: an exact path first, then the longest prefix, which is
 * compared segment by segment.
 */
export function serviceFor(paths: IngressPath[], path: string): string | undefined {
  const exact = paths.find((rule) => rule.pathType === 'Exact' && rule.path === path)
  const prefixes = paths
    .filter((rule) => rule.pathType === 'Prefix' && isBelow(rule.path, path))
    .sort((a, b) => b.path.length - a.path.length)
  return (exact ?? prefixes[0])?.backend.service.name
}

function isBelow(prefix: string, path: string): boolean {
  const wanted = prefix.split('/').filter(Boolean)
  const segments = path.split('/').filter(Boolean)
  return wanted.every((segment, index) => segments[index] === segment)
}
