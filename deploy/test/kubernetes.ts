import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Job } from 'kubernetes-models/batch/v1'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { PersistentVolumeClaim, Service, ServiceAccount } from 'kubernetes-models/v1'
import type { Manifest } from './rendered.ts'

interface Model {
  apiVersion: string
  new (data: never): { validate(): void }
}

/** Every kind that the chart and the examples of jobs make, with the place of its schema in kubernetes-models. */
export const kinds: Record<string, { model: Model; from: string }> = {
  StatefulSet: { model: StatefulSet, from: 'apps/v1' },
  Deployment: { model: Deployment, from: 'apps/v1' },
  HorizontalPodAutoscaler: { model: HorizontalPodAutoscaler, from: 'autoscaling/v2' },
  Ingress: { model: Ingress, from: 'networking.k8s.io/v1' },
  NetworkPolicy: { model: NetworkPolicy, from: 'networking.k8s.io/v1' },
  PodDisruptionBudget: { model: PodDisruptionBudget, from: 'policy/v1' },
  Job: { model: Job, from: 'batch/v1' },
  PersistentVolumeClaim: { model: PersistentVolumeClaim, from: 'v1' },
  Service: { model: Service, from: 'v1' },
  ServiceAccount: { model: ServiceAccount, from: 'v1' },
}

/** Throws if the manifest does not fit the schema of its kind. Unknown fields fit: see unknown-fields.ts. */
export function validate(manifest: Manifest): void {
  const known = kinds[manifest.kind]
  if (known === undefined) throw new Error(`${manifest.kind} is not a kind that we make`)
  if (known.model.apiVersion !== manifest.apiVersion)
    throw new Error(`${manifest.kind} is ${known.model.apiVersion}, not ${manifest.apiVersion}`)
  new known.model(manifest as never).validate()
}
