<?php
// A shop with one product in plain PHP: php -S 127.0.0.1:3000 shop.php
declare(strict_types=1);

const PRICE = 9000;
const ATTEMPTS_MAX = 3;

function setting(string $name, string $default = ''): string
{
    $value = getenv($name);
    return $value === false ? $default : $value;
}

/** Calls the gateway and returns the response body without the envelope; throws its error message. */
function call(string $method, string $path, array $headers, ?array $body = null): array
{
    $content = $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR);
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => [...$headers, 'Content-Type: application/json'],
        'content' => $content,
        'timeout' => 40,
        'ignore_errors' => true, // errors have a body too
        'follow_location' => 0,
    ]]);
    // A retry is safe: a GET changes nothing, and a POST has an Idempotency-Key.
    for ($attempt = 1; $attempt <= ATTEMPTS_MAX; $attempt++) {
        $response = @file_get_contents(setting('KOBO_URL', 'http://localhost:8080') . $path, false, $context);
        $status = $response === false ? 0 : (int) explode(' ', $http_response_header[0])[1];
        if ($status !== 0 && $status !== 429 && $status < 500) break;
        if ($attempt < ATTEMPTS_MAX) usleep(250_000 * 2 ** $attempt);
    }
    if ($response === false) throw new RuntimeException('The gateway does not respond');
    $envelope = json_decode($response, true, 64, JSON_THROW_ON_ERROR);
    if ($envelope['requestSuccessful'] !== true) throw new DomainException($envelope['responseMessage']);
    return $envelope['responseBody'];
}

function token(): string
{
    $basic = base64_encode(setting('KOBO_API_KEY') . ':' . setting('KOBO_SECRET_KEY'));
    return call('POST', '/api/v1/auth/login', ["Authorization: Basic $basic"])['accessToken'];
}

/** Orders are files; use a database in a real shop. */
function orderFile(string $reference): string
{
    return sys_get_temp_dir() . '/kobo-shop-' . hash('sha256', $reference);
}

function buy(): array
{
    $reference = 'order-' . bin2hex(random_bytes(8));
    file_put_contents(orderFile($reference), 'OPEN');
    $opened = call('POST', '/api/v1/merchant/transactions/init-transaction', [
        'Authorization: Bearer ' . token(),
        "Idempotency-Key: $reference",
    ], [
        'amount' => PRICE,
        'customerEmail' => 'ada@example.com',
        'paymentReference' => $reference,
        'currencyCode' => 'NGN',
        'contractCode' => setting('KOBO_CONTRACT_CODE'),
    ]);
    return ['reference' => $reference, 'checkoutUrl' => $opened['checkoutUrl']];
}

/** Queries the payment's status, because an event is only a hint, and delivers the goods if it is paid. */
function deliverIfPaid(string $reference): void
{
    $payment = call('GET', '/api/v2/merchant/transactions/query?' . http_build_query(['paymentReference' => $reference]), [
        'Authorization: Bearer ' . token(),
    ]);
    file_put_contents(orderFile($reference), $payment['paymentStatus']);
    $isPaid = in_array($payment['paymentStatus'], ['PAID', 'OVERPAID'], true)
        && (float) $payment['amountPaid'] >= PRICE && $payment['currency'] === 'NGN';
    // The same event can arrive twice; mode x creates the file only once.
    $first = $isPaid ? @fopen(orderFile($reference) . '-delivered', 'x') : false;
    if ($first !== false) fclose($first);
}

/** Receives an event if the signature over the raw body is valid. */
function receive(string $body): ?array
{
    $expected = hash_hmac('sha512', $body, setting('KOBO_SECRET_KEY'));
    if (!hash_equals($expected, $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? '')) return null;
    $event = json_decode($body, true, 64, JSON_THROW_ON_ERROR);
    if ($event['eventType'] === 'SUCCESSFUL_TRANSACTION' && is_file(orderFile($event['eventData']['paymentReference']))) {
        deliverIfPaid($event['eventData']['paymentReference']);
    }
    return ['received' => true];
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
header('Content-Type: application/json');
try {
    // Anyone can sign with an empty key, so without keys the shop answers every request with 500.
    foreach (['KOBO_API_KEY', 'KOBO_SECRET_KEY', 'KOBO_CONTRACT_CODE'] as $name) {
        if (setting($name) === '') throw new LogicException("$name is missing");
    }
    $response = match (true) {
        $_SERVER['REQUEST_METHOD'] === 'POST' && $path === '/buy' => buy(),
        $_SERVER['REQUEST_METHOD'] === 'POST' && $path === '/events' => receive(file_get_contents('php://input')),
        preg_match('#^/orders/([\w-]+)$#', $path, $found) === 1 => [
            'status' => is_file(orderFile($found[1])) ? file_get_contents(orderFile($found[1])) : 'UNKNOWN',
            'deliveries' => is_file(orderFile($found[1]) . '-delivered') ? 1 : 0,
        ],
        default => [],
    };
    if ($response === null) http_response_code(401);
    if ($response === []) http_response_code(404);
    echo json_encode($response ?: ['error' => $response === null ? 'Invalid signature' : 'Not found']);
} catch (DomainException $error) {
    http_response_code(422);
    echo json_encode(['error' => $error->getMessage()]);
} catch (LogicException | RuntimeException $error) {
    http_response_code(500);
    echo json_encode(['error' => $error->getMessage()]);
}
