import type { PersistentVolumeClaimSpec } from 'kubernetes-types/core/v1.js';
import type { LabelSelector, ObjectMeta } from 'kubernetes-types/meta/v1.js';

/** The fields of custom resources that the components set, as their definitions declare them. Any other field is a mistake. */
interface Resource<Group extends string, Kind extends string, Spec> {
  readonly apiVersion: Group;
  readonly kind: Kind;
  readonly metadata: ObjectMeta;
  readonly spec: Spec;
}
interface Name {
  readonly name: string;
}
interface IssuerRef extends Name {
  readonly group?: string;
  readonly kind?: string;
}

export type Gateway = Resource<
  'gateway.networking.k8s.io/v1',
  'Gateway',
  {
    gatewayClassName: string;
    listeners: {
      name: string;
      protocol: 'HTTPS' | 'HTTP';
      port: number;
      hostname?: string;
      tls?: { mode: 'Terminate' | 'Passthrough'; certificateRefs: Name[] };
      allowedRoutes?: { namespaces: { from: 'Same' | 'All' } };
    }[];
  }
>;

export type HTTPRoute = Resource<
  'gateway.networking.k8s.io/v1',
  'HTTPRoute',
  {
    parentRefs: { name: string; namespace?: string; sectionName?: string }[];
    hostnames: string[];
    rules: { backendRefs: { name: string; port: number }[] }[];
  }
>;

export type Certificate = Resource<
  'cert-manager.io/v1',
  'Certificate',
  {
    secretName: string;
    dnsNames: string[];
    usages?: string[];
    privateKey?: { algorithm: 'ECDSA' | 'RSA' | 'Ed25519'; size: number; rotationPolicy: 'Always' | 'Never' };
    issuerRef: IssuerRef;
  }
>;

export type ExternalSecret = Resource<
  'external-secrets.io/v1',
  'ExternalSecret',
  {
    refreshInterval: string;
    secretStoreRef: { name: string; kind?: 'SecretStore' | 'ClusterSecretStore' };
    target: { name: string; creationPolicy: 'Owner' | 'Merge' | 'Orphan' | 'None' };
    dataFrom: { extract: { key: string } }[];
  }
>;

export type PodMonitor = Resource<
  'monitoring.coreos.com/v1',
  'PodMonitor',
  {
    selector: LabelSelector;
    podMetricsEndpoints: {
      port: string;
      relabelings?: { sourceLabels?: string[]; targetLabel: string; replacement?: string }[];
    }[];
  }
>;

interface Rule {
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
}
export type PrometheusRule = Resource<
  'monitoring.coreos.com/v1',
  'PrometheusRule',
  {
    groups: {
      name: string;
      interval?: string;
      rules: (
        | (Rule & { record: string })
        | (Rule & {
            alert: string;
            for?: string;
            keep_firing_for?: string;
            annotations: Readonly<Record<string, string>>;
          })
      )[];
    }[];
  }
>;

export type MongoDBCommunity = Resource<
  'mongodbcommunity.mongodb.com/v1',
  'MongoDBCommunity',
  {
    type: 'ReplicaSet';
    members: number;
    version: string;
    security: {
      authentication: { modes: 'SCRAM'[] };
      tls: { enabled: boolean; certificateKeySecretRef: Name; caCertificateSecretRef: Name };
    };
    additionalConnectionStringConfig: Readonly<Record<string, string>>;
    users: {
      name: string;
      db: string;
      passwordSecretRef: Name;
      scramCredentialsSecretName: string;
      connectionStringSecretName: string;
      roles: { name: string; db: string }[];
    }[];
    statefulSet: { spec: { volumeClaimTemplates: { metadata: Name; spec: PersistentVolumeClaimSpec }[] } };
  }
>;
