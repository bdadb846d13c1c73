<?php
// Acts as a shop and prints the results as JSON.
declare(strict_types=1);

require __DIR__ . '/../../php/autoload.php';

['baseUrl' => $baseUrl, 'apiKey' => $apiKey, 'secretKey' => $secretKey, 'contractCode' => $contractCode] = json_decode(stream_get_contents(STDIN), true);
$warnings = [];
function remember(string $message): void
{
    $GLOBALS['warnings'][] = $message;
}
$kobo = new Kobo\Client($baseUrl, $apiKey, $secretKey, onWarning: 'remember');
$order = fn (string $reference): array => [
    'amount' => 9000,
    'customerEmail' => 'ada@example.com',
    'paymentReference' => $reference,
    'currencyCode' => 'NGN',
    'contractCode' => $contractCode,
];

$printed = [];
$opened = $kobo->transactions->init($order('shop-1'));
$account = $kobo->bankTransfer->init(['transactionReference' => $opened['transactionReference'], 'bankCode' => '035']);
$kobo->sandbox->payIntoAccount(['bankCode' => '035', 'accountNumber' => $account['accountNumber'], 'amount' => 9000]);
$printed['status'] = $kobo->transactions->get(['transactionReference' => $opened['transactionReference']])['paymentStatus'];
try {
    $kobo->transactions->init($order('shop-1'));
} catch (Kobo\Refused $refused) {
    $printed['refused'] = [$refused->status, $refused->refusal, $refused->requestId !== null];
}
$kobo->transactions->init($order('shop-2'));
$kobo->transactions->init([...$order('shop-3'), 'custmerName' => 'Ada']);
$printed['warnings'] = $warnings;
$printed['found'] = [];
foreach ($kobo->transactions->each('search', ['size' => 1]) as $payment) $printed['found'][] = $payment['paymentReference'];
$kobo->sandbox->changeSettings(['webhookUrl' => 'http://localhost:3000/events']);
$printed['isReset'] = $kobo->sandbox->changeSettings(['webhookUrl' => null])['webhookUrl'] === null;
try {
    (new Kobo\Client('http://127.0.0.1:1', $apiKey, $secretKey, attemptsMax: 1))->banks->list();
} catch (Kobo\NoResponse $noResponse) {
    $printed['noResponse'] = $noResponse->status;
}
try {
    new Kobo\Client('localhost:8700', $apiKey, $secretKey);
} catch (InvalidArgumentException $error) {
    $printed['wrongUrl'] = str_contains($error->getMessage(), 'must start with https://');
}
$now = time();
$body = '{"eventType":"SUCCESSFUL_TRANSACTION","eventData":{}}';
$headers = fn (string $secret, int $at): array => [
    'webhook-id' => 'evt_1',
    'webhook-timestamp' => (string) $at,
    'webhook-signature' => 'v1,' . base64_encode(hash_hmac('sha256', "evt_1.$at.$body", $secret, true)),
];
$isGenuine = function (array $headers) use ($body, $secretKey): bool {
    try {
        return Kobo\Events::verify($body, $headers, ['an-older-key', $secretKey])['eventType'] === 'SUCCESSFUL_TRANSACTION';
    } catch (Kobo\InvalidSignature) {
        return false;
    }
};
$printed['genuine'] = [$isGenuine($headers($secretKey, $now)), $isGenuine($headers('forged', $now)), $isGenuine($headers($secretKey, $now - 301)), $isGenuine([])];
try {
    Kobo\Events::verify($body, $headers('', $now), '');
} catch (InvalidArgumentException) {
    $printed['emptyKey'] = 'rejected';
}
echo json_encode($printed);
