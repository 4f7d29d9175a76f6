// A real Apache Kafka for tests: one process as broker and controller, on free loopback ports, with a temporary folder.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** The folder with Kafka's jars; `npm run proof -- --only kafka` downloads them. */
const jars: string | undefined = process.env["ROBOTS_STREAM_KAFKA_JARS"];

/** Credentials of the SASL listeners. */
export const credentials = { username: "worker", password: "worker-secret" };

const scramMechanisms = ["SCRAM-SHA-256", "SCRAM-SHA-512"];

export interface Broker {
  /** The address of the listener without TLS and SASL. */
  readonly address: string;
  /** The address of the listener with TLS; `ca` is its certificate. */
  readonly tlsAddress: string;
  readonly ca: string;
  /** The address of the listener with SASL PLAIN and SCRAM. */
  readonly saslAddress: string;
  /** Stops the process and keeps its data. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) =>
          server.listen(0, "127.0.0.1", () => resolve((server.address() as { readonly port: number }).port)),
        ),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function settingsOf(folder: string, [plain, tls, sasl, controller]: readonly number[]): string {
  const login = `org.apache.kafka.common.security.plain.PlainLoginModule required user_${credentials.username}="${credentials.password}";`;
  const scram = "org.apache.kafka.common.security.scram.ScramLoginModule required;";
  return Object.entries({
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.quorum.voters": `1@127.0.0.1:${controller}`,
    listeners: `PLAINTEXT://127.0.0.1:${plain},SSL://127.0.0.1:${tls},SASL://127.0.0.1:${sasl},CONTROLLER://127.0.0.1:${controller}`,
    "advertised.listeners": `PLAINTEXT://127.0.0.1:${plain},SSL://127.0.0.1:${tls},SASL://127.0.0.1:${sasl}`,
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,SSL:SSL,SASL:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
    "controller.listener.names": "CONTROLLER",
    "inter.broker.listener.name": "PLAINTEXT",
    "listener.name.sasl.sasl.enabled.mechanisms": ["PLAIN", ...scramMechanisms].join(","),
    "listener.name.sasl.plain.sasl.jaas.config": login,
    ...Object.fromEntries(
      scramMechanisms.map((name) => [`listener.name.sasl.${name.toLowerCase()}.sasl.jaas.config`, scram]),
    ),
    "ssl.keystore.location": join(folder, "broker.p12"),
    "ssl.keystore.type": "PKCS12",
    "ssl.keystore.password": "changeit",
    "ssl.key.password": "changeit",
    "log.dirs": join(folder, "logs"),
    "num.partitions": "1",
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "2",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "group.initial.rebalance.delay.ms": "0",
    "group.min.session.timeout.ms": "1000",
    "auto.create.topics.enable": "false",
    "num.network.threads": "2",
    "num.io.threads": "2",
    "background.threads": "2",
    "log.cleaner.threads": "1",
    "log.cleaner.dedupe.buffer.size": "2097152",
    "log.retention.check.interval.ms": "600000",
    "controlled.shutdown.enable": "false",
  })
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
}

/** Starts a broker. If it does not come up, rejects with its last output. */
export async function startBroker(): Promise<Broker> {
  if (jars === undefined) throw new Error("ROBOTS_STREAM_KAFKA_JARS names no folder: npm run proof -- --only kafka");
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-kafka-"));
  const java = ["-cp", join(jars, "*")];
  const env = { ...process.env, LOG_DIR: folder };
  const keystore = ["-keystore", join(folder, "broker.p12"), "-storepass", "changeit", "-alias", "broker"];
  const pair = "-genkeypair -keyalg EC -storetype PKCS12 -dname CN=localhost -ext SAN=ip:127.0.0.1,dns:localhost";
  execFileSync("keytool", [...pair.split(" "), ...keystore], { stdio: "ignore" });
  const ca = execFileSync("keytool", ["-exportcert", "-rfc", ...keystore], { encoding: "utf8" });
  const settings = join(folder, "server.properties");
  let ports: readonly number[] = [];
  let child: ChildProcess | undefined;
  const log = join(folder, "broker.log");
  const start = async (): Promise<void> => {
    writeFileSync(log, "");
    const shell = ["-c", 'exec java "$@" >"$LOG_DIR/broker.log" 2>&1', "sh"];
    const words = ["-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", ...java, "kafka.Kafka", settings];
    const started = spawn("/bin/sh", [...shell, ...words], { env, stdio: "ignore" });
    child = started;
    for (;;) {
      const text = readFileSync(log, "utf8");
      if (text.includes("Kafka Server started")) return;
      if (started.exitCode !== null) throw new Error(`the broker ended: ${text.slice(-2_000)}`);
      await delay(100);
    }
  };
  const stop = async (signal: NodeJS.Signals = "SIGTERM"): Promise<void> => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill(signal);
    await ended;
  };
  // Try again: another process may take a port between the search and the start.
  for (let attempt = 0; ; attempt++) {
    ports = await freePorts(4);
    writeFileSync(settings, settingsOf(folder, ports));
    rmSync(join(folder, "logs"), { recursive: true, force: true });
    const users = scramMechanisms.flatMap((mechanism) => [
      "--add-scram",
      `${mechanism}=[name=${credentials.username},password=${credentials.password}]`,
    ]);
    const format = ["kafka.tools.StorageTool", "format", "-t", "MkU3OEVBNTcwNTJENDM2Qg", "-c", settings, ...users];
    execFileSync("java", ["-Xmx256m", "-XX:TieredStopAtLevel=1", ...java, ...format], { env, stdio: "ignore" });
    try {
      await start();
      break;
    } catch (error) {
      if (attempt === 2) throw error;
    }
  }
  const at = (index: number): string => `127.0.0.1:${ports[index]}`;
  return {
    address: at(0),
    tlsAddress: at(1),
    saslAddress: at(2),
    ca,
    start,
    stop,
    async close() {
      await stop("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
