<?php
declare(strict_types=1);

namespace Kobo;

/**
 * A client with a merchant's keys: `$kobo->transactions->init([...])`. Groups and names are those of the SDK for JavaScript. Sends
 * nothing before the first call.
 */
final class Client
{
    private const LOOPBACK = '/^(localhost|127(\.\d+){3}|\[::1\])$/';
    /** Tokens are renewed after this share of their lifetime. */
    private const RENEWED_SHARE = 0.8;
    private const TOKEN_REFUSALS = ['EXPIRED_TOKEN', 'INVALID_TOKEN'];
    /** Statuses that mean the request had no effect, unless the error code is one of `UNKNOWN_EFFECT`. */
    private const NO_EFFECT = [429, 503];
    private const UNKNOWN_EFFECT = ['DATABASE_AWAY', 'OUTCOME_UNKNOWN'];
    /** Statuses of a gateway or proxy after which the effect is unknown. */
    private const MAYBE_EFFECT = [500, 502, 504];
    private const WAIT_SECONDS_MAX = 30;

    private readonly string $baseUrl;
    /** @var array<string, array<string, array<string, mixed>>> */
    private readonly array $endpoints;
    private readonly ?\Closure $onWarning;
    private ?string $token = null;
    private float $tokenUntil = 0;

    /**
     * @param bool $allowHttp allows unencrypted http to another machine
     * @param ?callable(string): void $onWarning receives the sandbox's warnings, such as a misspelt field that was ignored
     */
    public function __construct(
        string $baseUrl,
        private readonly string $apiKey,
        #[\SensitiveParameter] private readonly string $secretKey,
        private readonly int $timeoutSeconds = 40,
        private readonly int $attemptsMax = 3,
        bool $allowHttp = false,
        ?callable $onWarning = null,
    ) {
        if (preg_match('#^https?://#i', $baseUrl) !== 1)
            throw new \InvalidArgumentException("baseUrl must start with https://, or http:// on this machine; it is '$baseUrl'");
        $url = parse_url($baseUrl);
        $isLocal = preg_match(self::LOOPBACK, $url['host'] ?? '') === 1;
        if (($url['scheme'] ?? '') !== 'https' && !(($url['scheme'] ?? '') === 'http' && ($allowHttp || $isLocal)))
            throw new \InvalidArgumentException('baseUrl must be an https URL because keys are sent there; set allowHttp: true to allow http');
        if ($apiKey === '' || $secretKey === '') throw new \InvalidArgumentException('apiKey or secretKey is missing');
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->onWarning = $onWarning === null ? null : $onWarning(...);
        $this->endpoints = require __DIR__ . '/endpoints.php';
    }

    /** The calls of a group. */
    public function __get(string $group): Group
    {
        if (!isset($this->endpoints[$group])) throw new \BadMethodCallException("Unknown group $group");
        return new Group($this, $group, $this->endpoints[$group]);
    }

    /**
     * Sends a request and retries it while that is safe and useful.
     *
     * @param array<string, mixed> $endpoint
     * @param array<string, mixed> $fields
     */
    public function perform(array $endpoint, array $fields, ?string $idempotencyKey = null): mixed
    {
        $idempotencyKey = isset($endpoint['isRepeatable']) ? $idempotencyKey ?? bin2hex(random_bytes(16)) : null;
        [$url, $body] = $this->addressed($endpoint, $fields);
        $headers = ['Accept: application/json'];
        if ($body !== null) $headers[] = 'Content-Type: application/json';
        if ($idempotencyKey !== null) $headers[] = "Idempotency-Key: $idempotencyKey";
        $isSafeToRetry = $endpoint['method'] === 'GET' || $endpoint['access'] === 'keys' || $idempotencyKey !== null;
        for ($attempt = 1; ; $attempt++) {
            $response = $this->sendWithToken($endpoint, $url, $headers, $body);
            $isTemporary = $response->status === null || in_array($response->status, [...self::NO_EFFECT, ...self::MAYBE_EFFECT], true);
            $hadNoEffect = $response->envelope !== null && in_array($response->status, self::NO_EFFECT, true)
                && !in_array($response->headers['kobo-refusal'] ?? null, self::UNKNOWN_EFFECT, true);
            if ($attempt >= $this->attemptsMax || !$isTemporary || !($hadNoEffect || $isSafeToRetry)) break;
            // Jitter spreads the retries of clients that failed together.
            $backoff = 0.25 * 2 ** ($attempt - 1) * (0.5 + random_int(0, 1000) / 1000);
            usleep((int) (min(max($backoff, (float) ($response->headers['retry-after'] ?? 0)), self::WAIT_SECONDS_MAX) * 1e6));
        }
        foreach ($response->envelope['warnings'] ?? [] as $warning) if ($this->onWarning !== null) ($this->onWarning)($warning);
        return $response->concluded($idempotencyKey);
    }

    /**
     * Puts the fields into the path, the query or the body.
     *
     * @return array{string, ?string}
     */
    private function addressed(array $endpoint, array $fields): array
    {
        $path = preg_replace_callback('/:(\w+)/', static function (array $found) use (&$fields): string {
            $value = (string) ($fields[$found[1]] ?? '');
            if ($value === '') throw new \InvalidArgumentException("$found[1] is missing");
            unset($fields[$found[1]]);
            return rawurlencode($value);
        }, $endpoint['path']);
        if (isset($endpoint['hasBody'])) {
            $content = isset($endpoint['bodyKey']) ? ($fields[$endpoint['bodyKey']] ?? []) : (object) $fields;
            return [$this->baseUrl . $path, json_encode($content, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION)];
        }
        $texts = array_map(static fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : $value, $fields);
        return [$this->baseUrl . $path . ($texts === [] ? '' : '?' . http_build_query($texts)), null];
    }

    /** Sends a request, and once more with a new token if the token was rejected. */
    private function sendWithToken(array $endpoint, string $url, array $headers, ?string $body): Response
    {
        $send = fn (?string $authorization): Response => Response::to(
            $endpoint['method'],
            $url,
            $authorization === null ? $headers : [...$headers, "Authorization: $authorization"],
            $body,
            $this->timeoutSeconds,
        );
        if ($endpoint['access'] === 'keys') return $send('Basic ' . base64_encode("$this->apiKey:$this->secretKey"));
        if ($endpoint['access'] === 'open') return $send(null);
        $response = $send('Bearer ' . $this->currentToken());
        if (!in_array($response->headers['kobo-refusal'] ?? null, self::TOKEN_REFUSALS, true)) return $response;
        $this->token = null;
        return $send('Bearer ' . $this->currentToken());
    }

    private function currentToken(): string
    {
        if ($this->token === null || hrtime(true) / 1e9 >= $this->tokenUntil) {
            $startedAt = hrtime(true) / 1e9;
            $login = $this->perform($this->endpoints['authentication']['login'], []);
            $this->token = $login['accessToken'];
            $this->tokenUntil = $startedAt + $login['expiresIn'] * self::RENEWED_SHARE;
        }
        return $this->token;
    }
}

/** The calls of a group: `init`, `get`, `search` … */
final class Group
{
    private const PAGES_MAX = 1_000_000;

    /** @param array<string, array<string, mixed>> $endpoints */
    public function __construct(
        private readonly Client $client,
        private readonly string $name,
        private readonly array $endpoints,
    ) {
    }

    /** @param array{0?: array<string, mixed>, 1?: string} $arguments the fields, and optionally an Idempotency-Key */
    public function __call(string $name, array $arguments): mixed
    {
        return $this->client->perform($this->endpoint($name), $arguments[0] ?? [], $arguments[1] ?? null);
    }

    /** Iterates over all pages of results: `foreach ($kobo->transactions->each('search', [...]) as $payment)`. */
    public function each(string $name, array $fields = []): \Generator
    {
        $endpoint = $this->endpoint($name);
        $pageKey = $endpoint['pageKey'] ?? throw new \BadMethodCallException("$this->name.$name does not return pages");
        $first = (int) ($fields[$pageKey] ?? 0);
        for ($page = $first; $page < $first + self::PAGES_MAX; $page++) {
            $response = $this->client->perform($endpoint, [...$fields, $pageKey => $page]);
            foreach ($response['content'] as $record) yield $record;
            if ($response['last'] || $response['content'] === []) return;
        }
    }

    private function endpoint(string $name): array
    {
        return $this->endpoints[$name] ?? throw new \BadMethodCallException("Unknown call $this->name.$name");
    }
}
